// Attributes as ElectroDB describes them.
#ifndef STATOR_GENERATE_ELECTRODB_ATTRIBUTES_H_
#define STATOR_GENERATE_ELECTRODB_ATTRIBUTES_H_

#include <cstdint>
#include <string>

#include "model/model.h"

namespace stator::model {

// `type: "string"`, `type: "set", items: "number"` …
std::string ElectroType(const Attribute& attribute);

// The time, so many seconds from now, as the attribute holds it.
std::string ElectroNow(const Attribute& attribute, std::int64_t offset_seconds);

// What a new item has if the caller says nothing; empty: nothing.
std::string ElectroDefault(const Entity& entity, const Attribute& attribute);

}  // namespace stator::model

#endif  // STATOR_GENERATE_ELECTRODB_ATTRIBUTES_H_
