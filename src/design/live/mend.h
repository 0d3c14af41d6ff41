// Puts the derived keys of a stored item right.
#ifndef STATOR_LIVE_MEND_H_
#define STATOR_LIVE_MEND_H_

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "model/keys/derive.h"
#include "model/model.h"
#include "stator/endpoint.h"

namespace stator::live {

// A derived attribute that is not as the model says.
struct WrongKey {
  model::DerivedKey wanted;
  bool is_there = false;  // the item has it, with another value or though it must not
};

// The derived attributes of an item that are wrong: of the keys of one index, or of all but the
// table's own when `index` is null. The error says why they cannot be derived.
std::expected<std::vector<WrongKey>, std::string> FindWrongKeys(const model::Model& model,
                                                                const model::Table& table,
                                                                const model::Entity& entity,
                                                                const model::Index* index,
                                                                ItemView item, TimeMs now);

enum class Mended : std::uint8_t {
  kAlreadyRight,
  kChanged,
  kGone,    // deleted meanwhile; it is not brought back
  kNoKeys,  // the keys cannot be derived
};

struct MendRequest {
  const model::Model& model;
  const model::Table& table;
  std::string table_name;
  const model::Index* index = nullptr;  // null: all
  TimeMs now;
};

// One conditional update: only if the item is there and what the keys are made of has not changed;
// when it has, the item is looked at again. Doing it twice changes nothing.
Result<Mended> MendItem(Endpoint& endpoint, const MendRequest& request, ItemView item);

}  // namespace stator::live

#endif  // STATOR_LIVE_MEND_H_
