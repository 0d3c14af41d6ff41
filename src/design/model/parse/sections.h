// One function for each section of a model file. Each fills its part of the model and reports what
// does not parse; names that point elsewhere are checked when all sections are read (references.h).
#ifndef STATOR_MODEL_PARSE_SECTIONS_H_
#define STATOR_MODEL_PARSE_SECTIONS_H_

#include "model/model.h"
#include "model/parse/attribute_text.h"
#include "model/parse/node.h"
#include "model/parse/problems.h"

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

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_SECTIONS_H_
