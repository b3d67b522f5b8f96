// Writes the profile as JSON: README.md says what each field means.
#pragma once

#include "profile/host_side.h"

namespace cudacpu::profile {

// To `path`; null: to the file named by CUDACPU_PROFILE.
void write_report(HostSide& host, const char* path);

}  // namespace cudacpu::profile
