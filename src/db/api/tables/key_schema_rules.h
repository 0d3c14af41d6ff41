// Rules about keys: what a request defines, and which attributes its schemas may use (behaviour.md
// §9.3).
//
// They come after the framework's constraints: every name and type is there and known.
#ifndef STATOR_API_TABLES_KEY_SCHEMA_RULES_H_
#define STATOR_API_TABLES_KEY_SCHEMA_RULES_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/catalog/table.h"
#include "stator/result.h"
#include "stator/table_operations.h"

namespace stator {

// The attributes that a request, or a table and a request, define.
class Definitions {
 public:
  // "Attribute Name is duplicated: …"
  static Result<Definitions> From(const std::vector<AttributeDefinition>& sent);
  // The table's definitions and those that are new.
  static Definitions Merged(const Table& table, const Definitions& sent);

  std::size_t size() const { return types_.size(); }
  std::optional<ScalarType> Find(std::string_view name) const;
  // "pk, sk": in the order of the request.
  std::string Names() const;
  std::vector<std::pair<std::string, ScalarType>> Sorted() const;

 private:
  // REQUIRES: there is no such definition yet.
  void Add(const std::string& name, ScalarType type);

  std::vector<std::pair<std::string, ScalarType>> types_;
  std::map<std::string, ScalarType, std::less<>> by_name_;
};

using SentSchema = std::vector<KeySchemaElement>;

// Every key attribute is defined.
Result<void> CheckKeysDefined(const SentSchema& schema, const Definitions& definitions);
// One HASH, then at most one RANGE of another name: tables and local indexes.
Result<void> CheckSimpleSchema(const SentSchema& schema);
// Up to four HASH, then up to four RANGE: global indexes.
Result<void> CheckGlobalSchema(const SentSchema& schema);

// Every definition is used by one of the schemas, of which the first is the table's.
Result<void> CheckDefinitionsUsed(const Definitions& definitions,
                                  const std::vector<const SentSchema*>& schemas);

// REQUIRES: the rules above hold.
KeySchema MakeSchema(const SentSchema& schema, const Definitions& definitions);

}  // namespace stator

#endif  // STATOR_API_TABLES_KEY_SCHEMA_RULES_H_
