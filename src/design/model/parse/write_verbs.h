// The writes that every entity has, whatever its machine.
#ifndef STATOR_MODEL_PARSE_WRITE_VERBS_H_
#define STATOR_MODEL_PARSE_WRITE_VERBS_H_

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "model/model.h"

namespace stator::model {

inline constexpr std::array<std::pair<std::string_view, WriteKind>, 5> kWriteVerbs{{
    {"create", WriteKind::kCreate},
    {"put", WriteKind::kPut},
    {"update", WriteKind::kUpdate},
    {"delete", WriteKind::kDelete},
    {"rekey", WriteKind::kRekey},
}};

inline std::optional<WriteKind> FindVerb(std::string_view word) {
  for (const auto& [verb, kind] : kWriteVerbs) {
    if (verb == word) return kind;
  }
  return std::nullopt;
}

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_WRITE_VERBS_H_
