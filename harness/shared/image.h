// Pictures as files: PNG through libpng, and PPM, which needs no library to be read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Writes width x height pixels of 8-bit RGB, rows from the top, 3 bytes a pixel: as PNG to a path
// that ends in ".png", as binary PPM (P6, 255 levels) to a path that ends in ".ppm". Throws
// std::runtime_error with a sentence for any other path and when the file cannot be written.
void write_image(const std::string& path, int width, int height, const std::vector<uint8_t>& rgb);

// The path with `suffix` before the extension: "a.ppm", "-reference" -> "a-reference.ppm".
std::string with_suffix(const std::string& path, const std::string& suffix);
