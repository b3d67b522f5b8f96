// For programs compiled with `cudacc --sanitize` that need the findings during the run. Without a
// call of cudacpu_findings_to() the findings are in the file that the environment variable
// CUDACPU_FINDINGS names.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Calls `note` at each new cause, with the number of causes so far and null for `lines`. Where the
// file would be written, calls `note` with all findings so far, as `count` lines of JSON, which
// replace the earlier lines. The file is not written any more.
void cudacpu_findings_to(void (*note)(size_t found, const char* lines, size_t bytes, size_t count));
// Hands over what has been found since the last launch, too.
void cudacpu_findings_write(void);

#ifdef __cplusplus
}
#endif
