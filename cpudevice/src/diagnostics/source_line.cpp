#include "diagnostics/source_line.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

extern char** environ;

namespace cudacpu {
namespace {

// Returns the standard output of a program found in PATH; "" if it cannot be run.
std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (const std::string& word : command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child;
  int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  if (!failed) {
    char buffer[4096];
    ssize_t n;
    while ((n = read(ends[0], buffer, sizeof buffer)) > 0)
      text.append(buffer, n);
    waitpid(child, nullptr, 0);
  }
  close(ends[0]);
  return text;
}

// Whether a file is a header of the libraries: cudalibs/thrust/include/….
bool is_library_header(const std::string& file) {
  static const std::string kLibraries = "/cudalibs/";
  size_t begin = file.find(kLibraries);
  if (begin == std::string::npos) return false;
  size_t end = file.find('/', begin + kLibraries.size());
  return end != std::string::npos && file.compare(end, 9, "/include/") == 0;
}

bool is_ours(const std::string& file) {
  return is_library_header(file) || file.find("/cpudevice/include/") != std::string::npos ||
         file.find("/cpudevice/src/") != std::string::npos || file.rfind("/usr/", 0) == 0 ||
         file.rfind("../", 0) == 0 || file.find("/sysdeps/") != std::string::npos ||
         file.find("/./") != std::string::npos;  // the C library's, with debug information
}

// The student's code is never in a system library, and addr2line takes longer to read the whole C
// library than to find a line.
bool is_system_library(const std::string& path) {
  for (const char* folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"}) {
    if (path.rfind(folder, 0) == 0) return true;
  }
  return false;
}

// The last part of a qualified name, without arguments of a template: "Ray" of "ns::Ray<float>".
std::string last_name(std::string name) {
  name.resize(std::min(name.find('<'), name.size()));
  size_t begin = name.rfind(':');
  return begin == std::string::npos ? name : name.substr(begin + 1);
}

// The position of the bracket that the text's last bracket closes.
size_t opening(const std::string& text) {
  size_t begin = text.size();
  for (int depth = 0; begin > 0;) {
    --begin;
    depth += text[begin] == ')' ? 1 : text[begin] == '(' ? -1 : 0;
    if (depth == 0) break;
  }
  return begin;
}

// Whether the function is the constructor or the assignment that copies a structure, X::X(X const&)
// or X::operator=(X&&): most are the compiler's own, with the line that declares the structure. The
// copying line is the caller's.
bool copies_structure(const std::string& function) {
  for (const char* end : {" const&)", "&&)", "&)"}) {
    size_t length = function.size() - std::min(function.size(), strlen(end));
    if (function.compare(length, std::string::npos, end) != 0) continue;
    size_t arguments = opening(function);
    size_t last = function.rfind("::", arguments);
    if (last == std::string::npos) return false;
    std::string member = function.substr(last + 2, arguments - last - 2);
    std::string type = last_name(function.substr(0, last));
    std::string argument = last_name(function.substr(arguments + 1, length - arguments - 1));
    return argument == type && (member == type || member == "operator=");
  }
  return false;
}

}  // namespace

std::string without_directory(const std::string& file) {
  // A program that may be moved names its directory ".".
  if (file.rfind("./", 0) == 0) return file.substr(2);
  char here[4096];
  if (!getcwd(here, sizeof here)) return file;
  std::string prefix = std::string(here) + "/";
  return file.rfind(prefix, 0) == 0 ? file.substr(prefix.size()) : file;
}

std::vector<std::vector<std::string>> source_lines(const std::vector<const void*>& addresses) {
  std::vector<std::vector<std::string>> found(addresses.size());
  // addr2line runs once for each loaded file.
  std::map<std::string, std::vector<size_t>> by_file;
  std::vector<std::string> offsets(addresses.size());
  for (size_t i = 0; i < addresses.size(); ++i) {
    Dl_info object;
    if (!dladdr(addresses[i], &object) || !object.dli_fname) continue;
    auto address = reinterpret_cast<uintptr_t>(addresses[i]);
    // Addresses in the debug information of a position-independent file count from the file's base;
    // those of other programs do not.
    const auto* header = static_cast<const unsigned char*>(object.dli_fbase);
    constexpr int kTypeOffset = 16, kExecutable = 2;  // e_type and ET_EXEC of the ELF header
    if (header[kTypeOffset] != kExecutable) address -= reinterpret_cast<uintptr_t>(header);
    char text[32];
    snprintf(text, sizeof text, "0x%zx", static_cast<size_t>(address));
    const char* file = strchr(object.dli_fname, '/') ? object.dli_fname : "/proc/self/exe";
    char path[4096];
    if (!realpath(file, path) || is_system_library(path)) continue;
    offsets[i] = text;
    by_file[path].push_back(i);
  }
  for (const auto& [path, members] : by_file) {
    // -i: inlined calls too, innermost first; -a: each address before its calls; -f and -C: each
    // call's function, before its line.
    std::vector<std::string> command = {"addr2line", "-i", "-a", "-f", "-C", "-e", path};
    for (size_t i : members)
      command.push_back(offsets[i]);
    std::istringstream answer(output_of(command));
    std::string function, place;
    size_t member = 0;
    while (std::getline(answer, function)) {
      if (function.rfind("0x", 0) == 0) {
        ++member;
        continue;
      }
      if (!std::getline(answer, place) || member == 0 || member > members.size()) break;
      place = place.substr(0, place.find(" (discriminator"));
      if (place.empty() || place[0] == '?' || place.find(":?") != std::string::npos) continue;
      if (is_ours(place) || copies_structure(function)) continue;
      found[members[member - 1]].push_back(without_directory(place));
    }
  }
  return found;
}

std::string source_line(const void* const* frames, int count) {
  for (const auto& lines : source_lines(std::vector<const void*>(frames, frames + count))) {
    if (!lines.empty()) return lines.front();
  }
  return "";
}

}  // namespace cudacpu
