// Texture objects.
#pragma once

namespace cudacpu {

// Null in a program that makes no texture, which does not contain texture.cpp.
[[gnu::weak]] void destroy_all_textures();

}  // namespace cudacpu
