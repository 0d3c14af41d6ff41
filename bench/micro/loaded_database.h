// A database with a scenario's table and items in it, and its requests, ready to be sent.
#ifndef STATOR_BENCH_MICRO_LOADED_DATABASE_H_
#define STATOR_BENCH_MICRO_LOADED_DATABASE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "micro/scenarios.h"
#include "stator/database.h"

namespace stator::bench {

// JSON with the readable bytes behind it that Database::ExecuteAsync wants.
class PaddedJson {
 public:
  explicit PaddedJson(std::string_view json);
  std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  std::string bytes_;
  std::size_t size_;
};

// The requests of the turns from `first` on.
std::vector<PaddedJson> MakeRequests(const Scenario& scenario, int first, int count);

// Whatever goes wrong in here ends the program: there is nothing to measure then.
class LoadedDatabase {
 public:
  // An empty directory means memory; otherwise the disk, without waiting for it.
  LoadedDatabase(const Scenario& scenario, const std::string& directory);

  // Sends the request and waits for its answer. Returns the answer's bytes.
  std::size_t Send(const PaddedJson& request) { return Call(scenario_.operation, request); }

 private:
  std::size_t Call(std::string_view operation, const PaddedJson& request);

  const Scenario& scenario_;
  std::unique_ptr<Database> database_;
};

}  // namespace stator::bench

#endif  // STATOR_BENCH_MICRO_LOADED_DATABASE_H_
