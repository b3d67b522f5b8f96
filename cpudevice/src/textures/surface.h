// Surface objects.
#pragma once

namespace cudacpu {

// Null in a program without surfaces, which does not contain surface.cpp.
[[gnu::weak]] void destroy_all_surfaces();

}  // namespace cudacpu
