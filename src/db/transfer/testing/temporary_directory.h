// A directory that is gone after the test.
#ifndef STATOR_TRANSFER_TESTING_TEMPORARY_DIRECTORY_H_
#define STATOR_TRANSFER_TESTING_TEMPORARY_DIRECTORY_H_

#include <filesystem>
#include <string>

#include "base/random.h"

namespace stator::transfer::testing {

class TemporaryDirectory {
 public:
  TemporaryDirectory()
      : path_(std::filesystem::temp_directory_path() / ("stator-transfer-" + RandomUuid())) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace stator::transfer::testing

#endif  // STATOR_TRANSFER_TESTING_TEMPORARY_DIRECTORY_H_
