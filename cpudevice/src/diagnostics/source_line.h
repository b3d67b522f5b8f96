// From code addresses to lines of the student's source, by running addr2line.
#pragma once

#include <string>
#include <vector>

namespace cudacpu {

// "file.cu:12" for the first of these addresses that lies in the student's code, or "" when that is
// not known.
std::string source_line(const void* const* frames, int count);
// A path relative to the working directory, if it is below that.
std::string without_directory(const std::string& file);
// Returns all such lines for each address, the innermost of inlined calls first.
std::vector<std::vector<std::string>> source_lines(const std::vector<const void*>& addresses);

}  // namespace cudacpu
