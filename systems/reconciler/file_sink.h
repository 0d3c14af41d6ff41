// Payloads as lines of a file, each id at most once, whatever happens to the pollers that write it.
//
// A lock on the file is held from the look at its ids until the new lines are on disk. A last line
// that a killed process or a machine without power left incomplete is cut off by the next writer:
// its call was not marked, so that the payload comes again.
#ifndef STATOR_SYSTEMS_RECONCILER_FILE_SINK_H_
#define STATOR_SYSTEMS_RECONCILER_FILE_SINK_H_

#include <string_view>
#include <unordered_set>

#include "systems/reconciler/sink.h"

namespace stator::systems::reconciler {

class FileSink final : public Sink {
 public:
  // Creates the file if it is not there; its folder must be.
  static std::expected<std::unique_ptr<Sink>, std::string> Open(const std::string& path);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  const std::string& name() const override { return name_; }
  std::size_t batch() const override { return 100; }
  // All or none of the new ones.
  std::vector<Delivery> Deliver(const std::vector<Payload>& payloads,
                                std::chrono::steady_clock::time_point deadline) override;

 private:
  FileSink(std::string name, int file) : name_(std::move(name)), file_(file) {}

  // Both fail with errno set.
  bool ReadNewLines();
  bool Append(std::string_view lines);
  void TakeLine(std::string_view start);

  std::string name_;
  int file_;
  std::int64_t end_ = 0;                 // of the lines that are known
  std::unordered_set<std::string> ids_;  // as they stand in the lines
};

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_FILE_SINK_H_
