// Surface objects.
#pragma once

namespace cudacpu {

void destroy_all_surfaces();

}  // namespace cudacpu
