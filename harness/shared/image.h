// PNG output through libpng.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Writes width x height pixels of 8-bit RGB, rows from the top, 3 bytes a pixel. Throws
// std::runtime_error with a sentence when the file cannot be written.
void write_png(const std::string& path, int width, int height, const std::vector<uint8_t>& rgb);
