#include "diagnostics/source_line.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

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

bool is_ours(const std::string& file) {
  return file.find("/cpudevice/include/") != std::string::npos ||
         file.find("/cpudevice/src/") != std::string::npos || file.rfind("/usr/", 0) == 0 ||
         file.rfind("../", 0) == 0 || file.find("/sysdeps/") != std::string::npos ||
         file.find("/./") != std::string::npos;  // the C library's, where its lines are known
}

// No line of the student is there, and addr2line takes longer to read the whole C library than to
// find a line.
bool is_system_library(const std::string& path) {
  for (const char* folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"}) {
    if (path.rfind(folder, 0) == 0) return true;
  }
  return false;
}

}  // namespace

std::string without_directory(const std::string& file) {
  char here[4096];
  if (!getcwd(here, sizeof here)) return file;
  std::string prefix = std::string(here) + "/";
  return file.rfind(prefix, 0) == 0 ? file.substr(prefix.size()) : file;
}

std::vector<std::vector<std::string>> source_lines(const std::vector<const void*>& addresses) {
  std::vector<std::vector<std::string>> found(addresses.size());
  // There is one run of addr2line for each loaded file.
  std::map<std::string, std::vector<size_t>> by_file;
  std::vector<std::string> offsets(addresses.size());
  for (size_t i = 0; i < addresses.size(); ++i) {
    Dl_info object;
    if (!dladdr(addresses[i], &object) || !object.dli_fname) continue;
    auto address = reinterpret_cast<uintptr_t>(addresses[i]);
    // Addresses in the debug information of a position-independent file count from its base; those
    // of other programs do not.
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
    // -i: inlined calls too, innermost first, one line each; -a: each address before its lines.
    std::vector<std::string> command = {"addr2line", "-i", "-a", "-e", path};
    for (size_t i : members)
      command.push_back(offsets[i]);
    std::string lines = output_of(command);
    size_t member = 0;
    for (size_t begin = 0, end; (end = lines.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      std::string line = lines.substr(begin, end - begin);
      if (line.rfind("0x", 0) == 0) {
        ++member;
        continue;
      }
      if (member == 0 || member > members.size()) break;
      line = line.substr(0, line.find(" (discriminator"));
      if (line.empty() || line[0] == '?' || line.find(":?") != std::string::npos) continue;
      if (!is_ours(line)) found[members[member - 1]].push_back(without_directory(line));
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
