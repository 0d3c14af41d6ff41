// The names of a model in a language that has no C++ entity layer: types, descriptions and functions.
#ifndef STATOR_GENERATE_CODE_NAMES_H_
#define STATOR_GENERATE_CODE_NAMES_H_

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generate/code_plan.h"
#include "generate/identifiers.h"
#include "model/model.h"

namespace stator::model {

struct LanguageNaming {
  std::string (*variable)(std::string_view name);  // CamelName, SnakeName
  std::string description_suffix;                  // "Entity", "_entity"
  std::string write_suffix;                        // "Write", "_write"
  std::set<std::string> reserved;                  // words that cannot be names
  std::set<std::string> taken;                     // names that the file has already
  std::set<std::string> locals;                    // names that functions use themselves
};

struct EntityNames {
  const Entity* entity = nullptr;
  const Table* table = nullptr;
  std::string type;                              // Order
  std::string created;                           // NewOrder
  std::string key;                               // OrderKey
  std::string description;                       // orderEntity
  std::vector<const Attribute*> attributes;      // those that no template makes
  std::map<std::string, std::string> fields;     // attribute → its name as a field
  std::map<std::string, std::string> enums;      // attribute → OrderStatus
  std::map<const Index*, std::string> partials;  // OrderInGsi2
};

// A read, write or transaction of the model, and the name of its function.
struct PatternNames {
  const Pattern* pattern = nullptr;
  std::string function;
  std::string write;  // of a write: the function that makes it without sending it
};

class CodeNames {
 public:
  // `naming` must outlive this.
  CodeNames(const Model& model, const LanguageNaming& naming);

  const std::vector<EntityNames>& entities() const { return entities_; }
  const std::vector<PatternNames>& patterns() const { return patterns_; }
  const EntityNames& Of(const Entity& entity) const;
  // Null if the model has no such pattern.
  const PatternNames* FindPattern(std::string_view name) const;

  // The name as a parameter or variable of a function that has `scope` already.
  std::string Local(std::string_view name, NameSet& scope) const;
  // The names that a function cannot use for its parameters.
  NameSet Scope() const { return NameSet(locals_); }

 private:
  std::string Free(std::string name) const;  // not a reserved word
  void AddEntity(const Model& model, const Entity& entity);

  const LanguageNaming& naming_;
  NameSet taken_;
  std::set<std::string> locals_;
  std::vector<EntityNames> entities_;
  std::vector<PatternNames> patterns_;
};

// The names that the lines of a source define, given how such lines begin: "def ", "export function ".
std::set<std::string> DefinedNames(std::string_view source,
                                   const std::vector<std::string_view>& beginnings);

// Parts of the code that every generated file contains, by name: "typescript_keys.ts".
std::string_view RuntimeText(std::string_view name);

}  // namespace stator::model

#endif  // STATOR_GENERATE_CODE_NAMES_H_
