// For tests: a directory that is removed with everything in it.
#ifndef STATOR_STORAGE_TESTING_TEST_DIRECTORY_H_
#define STATOR_STORAGE_TESTING_TEST_DIRECTORY_H_

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace stator {

// A new directory, in memory where the system has a place for that, because a busy disk would slow
// the tests down. TMPDIR overrides the choice.
class TestDirectory {
 public:
  TestDirectory() {
    namespace fs = std::filesystem;
    const bool use_memory = std::getenv("TMPDIR") == nullptr && fs::is_directory("/dev/shm");
    std::string path =
        (use_memory ? fs::path("/dev/shm") : fs::temp_directory_path()) / "stator-test-XXXXXX";
    path_ = mkdtemp(path.data());
  }
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;
  ~TestDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace stator

#endif  // STATOR_STORAGE_TESTING_TEST_DIRECTORY_H_
