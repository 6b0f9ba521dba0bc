/// What Swift's Glibc module leaves out.
#pragma once

/// A non-blocking eventfd(2) for `camqp_wait`; -1 when the system has none to give.
int camqp_make_wake(void);

/// Names the calling thread for ps(1) and debuggers; at most 15 octets (pthread_setname_np(3)).
void camqp_name_thread(const char *name);
