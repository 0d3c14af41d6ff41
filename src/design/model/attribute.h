// One attribute of an entity, as `str 12 no=# enum=a|b opt` says it.
#ifndef STATOR_MODEL_ATTRIBUTE_H_
#define STATOR_MODEL_ATTRIBUTE_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/place.h"
#include "stator/item.h"

namespace stator::model {

// What the value means, where text or a number alone does not say it.
enum class Unit : std::uint8_t {
  kNone,
  kEpochSeconds,       // num epoch_s
  kEpochMilliseconds,  // num epoch_ms
  kInteger,            // num int
  kDate,               // str date: 2026-02-28
  kIsoSeconds,         // str iso_s: 2026-02-28T08:00:00Z, always this wide
  kIsoMilliseconds,    // str iso_ms: 2026-02-28T08:00:00.000Z, always this wide
  kIsoTime,            // str iso: ISO 8601 of any width or zone
  kUlid,               // str ulid: 26 characters
  kUuid,               // str uuid: 36 characters
};

struct DefaultValue {
  enum class Kind : std::uint8_t { kLiteral, kNow, kNewId };
  Kind kind = Kind::kLiteral;
  std::string text;                // of kLiteral
  std::chrono::seconds offset{0};  // of kNow: "= now+30d"
};

struct Attribute {
  std::string name;
  Type type = Type::kS;
  Unit unit = Unit::kNone;
  Amount bytes;  // of the value, without its name
  bool size_stated = false;
  std::vector<std::string> values;                 // enum=a|b|c, in the order of their rank
  std::optional<std::pair<double, double>> range;  // range=0..100
  std::optional<double> cardinality;               // card=50: distinct values at any time
  std::vector<std::string> counters;  // `counters mon..sun`: names of the counters in this map
  bool counter = false;               // `counter`: a number that writes add to
  bool optional = false;              // opt: items may lack it
  bool nullable = false;              // nullable: items may hold NULL or "" in it
  bool secret = false;
  bool tenant = false;                   // tenant: names the tenant; reads must not cross tenants
  bool implicit = false;                 // named by a template only
  std::string forbidden;                 // no=#: characters that a value never contains
  std::vector<std::string> normalizers;  // norm=nfc|lower|trim
  std::string canonical_in;              // canon=Alias: the entity that lists its spellings
  bool free_text = false;                // text: written by people
  std::optional<DefaultValue> default_value;
  std::string refers_to;                          // ->Batch
  std::optional<std::chrono::seconds> valid_for;  // valid=30m
  Place place;
};

}  // namespace stator::model

#endif  // STATOR_MODEL_ATTRIBUTE_H_
