// Capacity units that requests consumed, by table and index, since the database was opened.
#ifndef STATOR_ENGINE_UNIT_COUNTS_H_
#define STATOR_ENGINE_UNIT_COUNTS_H_

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator {

struct UnitCount {
  std::string table;
  std::string index;  // empty: the table itself
  double reads = 0;
  double writes = 0;
};

// Thread-safe.
class UnitCounts {
 public:
  enum class Kind : unsigned char { kRead, kWrite };
  void Add(Kind kind, std::string_view table, std::string_view index, double units);
  std::vector<UnitCount> All() const;

 private:
  struct Sum {
    double reads = 0;
    double writes = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Sum> sums_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_UNIT_COUNTS_H_
