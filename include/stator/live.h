// Existing tables: brought to what a model says, and their items checked against it.
//
// `stator apply` and `stator audit` do the same from the command line.
#ifndef STATOR_LIVE_H_
#define STATOR_LIVE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stator/clock.h"
#include "stator/endpoint.h"
#include "stator/model.h"
#include "stator/result.h"

namespace stator {

// How far long work has come. The callback is called now and then while the work runs, possibly by
// several threads, but by one at a time.
struct LiveProgress {
  std::string what;       // "filling GSI1"
  std::int64_t read = 0;  // items
  std::int64_t changed = 0;
  std::optional<std::int64_t> total;  // as far as the endpoint knows
};
using LiveProgressCallback = std::function<void(const LiveProgress& progress)>;

struct ApplyModelOptions {
  std::string environment;  // for settings that differ between environments
  std::string table_prefix;
  bool dry_run = false;
  bool prune = false;           // delete indexes that the model does not have
  bool backfill = false;        // fill existing indexes, too
  std::optional<int> segments;  // parallel scans; default: the model's, or 4
  std::optional<double> items_per_second;
  std::string checkpoint_directory;  // where backfills keep how far they are; empty: nowhere
  LiveProgressCallback progress;
};

struct ApplyModelReport {
  std::vector<std::string> lines;  // each step and what it did
  bool complete = true;            // false: a step cannot be done, or its check failed
};

// Creates and alters tables, one index at a time, fills the keys of new indexes and compares them
// with their tables. May be run again, also after it was killed.
Result<ApplyModelReport> ApplyModel(Endpoint& endpoint, const Model& model,
                                    const ApplyModelOptions& options = {});

struct AuditModelOptions {
  std::string table_prefix;
  bool fix = false;  // repair derived keys
  int segments = 4;
  const Clock* clock = nullptr;  // default: the system's
  LiveProgressCallback progress;
};

struct AuditModelReport {
  std::int64_t items = 0;
  std::int64_t mended = 0;
  std::vector<std::string> flaws;  // one line each, with the count and an example
  bool clean() const { return flaws.empty(); }
};

// Reads every item of the model's tables and reports what breaks the model.
Result<AuditModelReport> AuditModel(Endpoint& endpoint, const Model& model,
                                    const AuditModelOptions& options = {});

}  // namespace stator

#endif  // STATOR_LIVE_H_
