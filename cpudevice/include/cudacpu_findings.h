// For programs compiled with `cudacc --sanitize` that need the findings while they run. Without
// these calls the findings are in the file that the environment variable CUDACPU_FINDINGS names.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Calls `note` as each cause is found, with the number of causes until then; and where the file
// would be written also with all that is known of them, as `count` lines of JSON, which take the
// place of those before. Else `lines` is null. The file is not written any more.
void cudacpu_findings_to(void (*note)(size_t found, const char* lines, size_t bytes, size_t count));
// Hands over what has been found since the last launch, too.
void cudacpu_findings_write(void);

#ifdef __cplusplus
}
#endif
