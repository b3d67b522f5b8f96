// For programs compiled with `cudacc --profile` that want a part of their run profiled. Without
// these calls the profile covers all of it and is written at its end.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Forgets what has been counted so far, and empties the simulated cache.
void cudacpu_profile_reset(void);
// Ignores kernels until the next reset, which makes them many times faster: for the code before and
// after the part that is profiled.
void cudacpu_profile_pause(void);
// Writes what has been counted since: to `path`, or if that is null to the file that the
// environment variable CUDACPU_PROFILE names, or else to cudacpu-profile.json.
void cudacpu_profile_write(const char* path);
// Returns the same as text, which is valid until the next call.
const char* cudacpu_profile_text(size_t* bytes);

#ifdef __cplusplus
}
#endif
