#include <getopt.h>

/* Swift's own module of the C library leaves getopt.h out, and its state is in global variables, which Swift does not
 * share between threads. So a call gives back what the caller needs of them. */
typedef struct {
    int value;            /* of getopt_long */
    const char *argument; /* optarg */
    int index;            /* optind: the next word */
} getopt_step;

/* Begins anew with `restart` (getopt(3): optind 0), else goes on; says nothing itself. */
static inline getopt_step getopt_next(int count, char *const *words, const struct option *table, int restart) {
    opterr = 0;
    if (restart) optind = 0;
    getopt_step step = {getopt_long(count, words, ":", table, 0), optarg, 0};
    step.index = optind;
    return step;
}
