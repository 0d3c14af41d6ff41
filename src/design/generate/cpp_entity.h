// An entity as a C++ struct: the names and types of its fields; and the patterns as functions over it.
#ifndef STATOR_GENERATE_CPP_ENTITY_H_
#define STATOR_GENERATE_CPP_ENTITY_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generate/identifiers.h"
#include "generate/text.h"
#include "model/model.h"

namespace stator::model {

struct CppField {
  const Attribute* attribute = nullptr;
  std::string name;         // status_updated_at
  std::string type;         // std::int64_t
  std::string initializer;  // " = 0"; empty: the type's own
  std::string note;         // "epoch milliseconds"; may be empty
  bool optional = false;    // std::optional<type>

  std::string Declaration() const;
  std::string ParameterType() const;  // how a function takes it: std::string_view
  std::string RequiredValue() const;  // an expression that is never absent
};

struct CppEnum {
  std::string name;                                            // FileJobStatus
  std::vector<std::pair<std::string, std::string>> constants;  // kAvailable, "available"
};

struct CppEntity {
  const Entity* entity = nullptr;
  const Table* table = nullptr;
  std::string name;
  std::vector<CppField> fields;
  std::vector<CppEnum> enums;

  const CppField* FindField(std::string_view attribute) const;
};

// `type_names` are the names that the header has used so far.
CppEntity MakeCppEntity(const Model& model, const Entity& entity, NameSet& type_names);

// The name, changed if it is a keyword of C++.
std::string CppName(std::string name);

// Writes one function per pattern, except for transactions and scans, which have no typed form.
// `names` are the names that the header has used so far.
void WriteCppPatterns(const Model& model, const std::vector<CppEntity>& entities, NameSet& names,
                      Lines& out);

}  // namespace stator::model

#endif  // STATOR_GENERATE_CPP_ENTITY_H_
