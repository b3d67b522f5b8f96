// For programs that call a function which may never return, such as the grader's.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// From here to the end of the watch the program is ended, with the source line where it is on
// standard error, when this takes longer than the environment variable CUDACPU_CALL_TIMEOUT says in
// seconds. Without that nothing is watched. Time in which the thread waits for a processor does not
// count. Kernels have a limit of their own, CUDACPU_TIMEOUT, that is to be shorter.
void cudacpu_watch_begin(void);
void cudacpu_watch_end(void);

#ifdef __cplusplus
}
#endif
