// From code addresses to lines of the student's source, by running addr2line.
#pragma once

#include <string>
#include <vector>

namespace cudacpu {

// "file.cu:12" for the first address in the student's code, or "" if not known.
std::string source_line(const void* const* frames, int count);
// Returns a path relative to the working directory, for files below the directory.
std::string without_directory(const std::string& file);
// Returns all lines of each address, the innermost of inlined calls first.
std::vector<std::vector<std::string>> source_lines(const std::vector<const void*>& addresses);

}  // namespace cudacpu
