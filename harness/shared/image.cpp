#include "image.h"

#include <png.h>

#include <fstream>
#include <stdexcept>

namespace {

// The position of a path's extension, or of the end of the path. "a.b/c" has no extension.
size_t extension_of(const std::string& path) {
  const size_t dot = path.rfind('.');
  const size_t slash = path.rfind('/');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return path.size();
  return dot;
}

void write_png(const std::string& path, int width, int height, const std::vector<uint8_t>& rgb) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;  // a slightly larger file, in much less time
  if (!png_image_write_to_file(&image, path.c_str(), 0, rgb.data(), 0, nullptr)) {
    throw std::runtime_error(path + " cannot be written: " + image.message);
  }
}

void write_ppm(const std::string& path, int width, int height, const std::vector<uint8_t>& rgb) {
  std::ofstream file(path, std::ios::binary);
  file << "P6\n" << width << ' ' << height << "\n255\n";
  file.write(reinterpret_cast<const char*>(rgb.data()), static_cast<std::streamsize>(rgb.size()));
  file.close();
  if (!file) throw std::runtime_error(path + " cannot be written");
}

}  // namespace

void write_image(const std::string& path, int width, int height, const std::vector<uint8_t>& rgb) {
  if (rgb.size() != static_cast<size_t>(width) * height * 3) {
    throw std::runtime_error(path + ": the pixels do not match the size of the image");
  }
  const std::string extension = path.substr(extension_of(path));
  if (extension == ".png") {
    write_png(path, width, height, rgb);
  } else if (extension == ".ppm") {
    write_ppm(path, width, height, rgb);
  } else {
    throw std::runtime_error(path + ": a picture's name ends in .png or .ppm");
  }
}

std::string with_suffix(const std::string& path, const std::string& suffix) {
  std::string result = path;
  return result.insert(extension_of(path), suffix);
}
