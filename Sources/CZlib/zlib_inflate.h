#include <zlib.h>

/* inflateInit2 is a macro with arguments, which Swift cannot call. 16 + MAX_WBITS: a gzip header is wanted (zlib.h). */
static inline int zlib_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }
