// One function for each section of a model file. Each fills its part of the model and reports what
// does not parse; names that point elsewhere are checked when all sections are read.
#ifndef STATOR_MODEL_PARSE_SECTIONS_H_
#define STATOR_MODEL_PARSE_SECTIONS_H_

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "model/model.h"
#include "model/parse/attribute_text.h"
#include "model/parse/fields.h"
#include "model/parse/text_cursor.h"
#include "model/parse/yaml.h"

namespace stator::model {

struct Reading {
  Problems& problems;
  Model& model;
  NamedTypes types;
};

void ReadAssume(Reading& reading, const Node& node);
void ReadTypes(Reading& reading, const Node& node);
void ReadTables(Reading& reading, const Node& node);
void ReadEntities(Reading& reading, const Node& node);
void ReadPatterns(Reading& reading, const Node& node);
void ReadMigrations(Reading& reading, const Node& node);
void ReadGrants(Reading& reading, const Node& node);
void ReadSnippets(Reading& reading, const Node& node);
void ReadClaims(Reading& reading, const Node& node);
void ReadAcceptances(Reading& reading, const Node& node);

// Reports every name in the model that is not the name of anything (references.cc).
//
// Also completes the patterns: a query whose terms name one entity is of that entity, a get reads
// the table of its entity, `a.b` is a path into the map `a` unless an entity is called `a`.
void CheckReferences(Problems& problems, const Node& document, Model& model);

// The lines of a state machine; the caller sets the names and the places.
//
//   state := '' | 'end' | 'dwell' duration
//   move  := ('*' | names) '->' names ('+' attribute | '-' attribute)*
//   names := name ('|' name)*
//
// `stamp` is the machine's, the only attribute that '-' may leave out.
Read<State> ReadState(std::string_view text);
Read<Move> ReadMove(std::string_view text, std::string_view stamp);

// The writes that every entity has, with or without a machine.
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

#endif  // STATOR_MODEL_PARSE_SECTIONS_H_
