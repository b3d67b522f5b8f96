// Surface objects.
#pragma once

namespace cudacpu {

// Null in a program that makes no surface, which does not contain surface.cpp.
[[gnu::weak]] void destroy_all_surfaces();

}  // namespace cudacpu
