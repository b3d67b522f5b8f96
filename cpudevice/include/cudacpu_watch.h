// For programs that call a function which may never return, such as the grader's programs.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// From begin to end of the watch the program is ended, with the source line of the host's code on
// standard error, when the time exceeds the environment variable CUDACPU_CALL_TIMEOUT, in seconds.
// Without the variable nothing is watched. Time in which the thread waits for a processor does not
// count. Kernels have a limit of their own, CUDACPU_TIMEOUT, which should be shorter.
void cudacpu_watch_begin(void);
void cudacpu_watch_end(void);

#ifdef __cplusplus
}
#endif
