// Texture objects.
#pragma once

namespace cudacpu {

// Null in a program without textures, which does not contain texture.cpp.
[[gnu::weak]] void destroy_all_textures();

}  // namespace cudacpu
