// Texture objects.
#pragma once

namespace cudacpu {

void destroy_all_textures();

}  // namespace cudacpu
