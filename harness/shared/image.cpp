#include "image.h"

#include <png.h>

#include <stdexcept>

void write_png(const std::string& path, int width, int height, const std::vector<uint8_t>& rgb) {
  if (rgb.size() != static_cast<size_t>(width) * height * 3) {
    throw std::runtime_error(path + ": the pixels do not match the size of the image");
  }
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;  // a little larger, and much sooner there
  if (!png_image_write_to_file(&image, path.c_str(), 0, rgb.data(), 0, nullptr)) {
    throw std::runtime_error(path + " cannot be written: " + image.message);
  }
}
