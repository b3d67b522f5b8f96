// Writes the profile as JSON: README.md says what each field means.
#pragma once

#include <string>

#include "profile/host_side.h"

namespace cudacpu::profile {

std::string report_text(HostSide& host);
// Writes to `path`; null: to the file named by CUDACPU_PROFILE.
void write_report(HostSide& host, const char* path);

}  // namespace cudacpu::profile
