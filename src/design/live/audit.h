// What is wrong with the items of a table, judged by the model.
#ifndef STATOR_LIVE_AUDIT_H_
#define STATOR_LIVE_AUDIT_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "stator/clock.h"
#include "stator/endpoint.h"
#include "stator/live.h"

namespace stator::live {

enum class Flaw : std::uint8_t {
  kNoEntity,  // its key fits no entity of the model
  kKeyWrong,  // a derived key does not match its sources
  kKeyMissing,
  kKeyLeftBehind,  // a sparse key whose condition no longer holds
  kKeyImpossible,  // a derived key cannot be made
  kWrongType,
  kNumberAsText,
  kWrongUnit,     // a time that is off by a factor of 1000
  kUnknownValue,  // a state or a value that the enum does not have
  kAttributeMissing,
  kForbidden,        // a character that separates the parts of keys
  kSentinelMissing,  // a unique value that nothing keeps unique
  kClaimedTwice,     // a unique value that several items have
  kVersionMissing,   // of an item that was written without the entity layer
};

std::string_view FlawName(Flaw flaw);  // "derived key wrong" …

struct FlawExample {
  std::string key;     // the item's primary key, as DynamoDB's JSON
  std::string detail;  // "userStatus is ann#OPEN, must be ann#DONE"
};

struct FlawCount {
  std::int64_t items = 0;
  std::vector<FlawExample> examples;  // a few, in the order of their keys
};

struct AuditReport {
  std::string table_name;
  std::int64_t items = 0;
  std::int64_t sentinels = 0;
  std::int64_t mended = 0;           // items whose derived keys or version were repaired
  std::int64_t sentinels_added = 0;  // of unique values that nothing kept unique
  std::map<std::string, std::int64_t> entities;             // items of each
  std::map<std::pair<Flaw, std::string>, FlawCount> flaws;  // by flaw and Entity.attribute
  std::vector<std::pair<std::string, std::pair<std::int64_t, std::int64_t>>>
      indexes;  // expected, found

  bool clean() const;
};

struct AuditOptions {
  std::string table_name;
  int segments = 4;
  std::size_t examples = 3;
  bool fix = false;  // repair derived keys, add versions and sentinels
  TimeMs now;
};

Result<AuditReport> AuditTable(Endpoint& endpoint, const model::Model& model,
                               const model::Table& table, const AuditOptions& options,
                               const LiveProgressCallback& progress);

}  // namespace stator::live

#endif  // STATOR_LIVE_AUDIT_H_
