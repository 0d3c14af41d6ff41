// What the functions of a pattern do, in no language yet: the requests of a read with their key conditions and filters,
// the parts of a write. The entity layer does the same when it runs; src/design/entity/key_range.h is its counterpart.
#ifndef STATOR_GENERATE_CODE_PLAN_H_
#define STATOR_GENERATE_CODE_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

namespace stator::model {

// A parameter of a pattern's function.
struct CodeParameter {
  std::string name;                      // as the pattern calls it
  const Entity* entity = nullptr;        // whose attribute it is compared with
  const Attribute* attribute = nullptr;  // null: see is_text
  bool is_text = false;                  // text; else a value as DynamoDB has it
};

// A value that is known when the function runs: an operand of the model, or each value of `foreach`.
struct CodeValue {
  Operand operand;
  bool each = false;
  const Entity* entity = nullptr;
  std::string attribute;  // as whose value it is written
};

// A part of the text of a key.
struct CodePiece {
  enum class Kind : std::uint8_t { kText, kValue, kShardNumber, kHighest };
  Kind kind = Kind::kText;
  std::string text;  // of kText
  CodeValue value;   // of kValue
  int digits = 0;    // of kValue: padded with zeros
};

// What stands behind a placeholder of an expression.
struct CodeOperand {
  std::string placeholder;  // ":k0"
  enum class Kind : std::uint8_t { kValue, kKey, kSeconds };
  Kind kind = Kind::kValue;
  CodeValue value;                // of kValue
  Type key_type = Type::kS;       // of kKey
  std::vector<CodePiece> pieces;  // of kKey
  // Of kKey: the end of a range that starts with these; it must not lie before them.
  std::vector<CodePiece> at_least;
};

struct CodeRead {
  const Pattern* pattern = nullptr;
  const Table* table = nullptr;
  const Index* index = nullptr;
  std::vector<const Entity*> entities;  // that it can give; the first one makes the keys
  std::vector<CodeParameter> parameters;

  std::string key_condition;  // empty: a scan, or a get
  std::string filter;
  std::vector<std::pair<std::string, std::string>> names;  // placeholders and attributes
  std::vector<CodeOperand> values;
  int shards = 0;                      // one request for each
  std::optional<CodeValue> shard_by;   // the one shard follows from this
  std::vector<std::string> each;       // one request for each of these values
  std::vector<Term> bounds;            // ranges that the key condition does not bound exactly
  std::vector<std::string> order;      // key attributes that order the items
  std::vector<std::string> position;   // key attributes that say where an item is
  std::vector<std::string> projected;  // of a read by an index without all attributes

  enum class Result : std::uint8_t { kGet, kGetMany, kPage, kAll, kUnique, kCount };
  Result result = Result::kPage;
  bool partial = false;   // the items hold only `projected`
  std::int64_t size = 0;  // items of a page

  std::string obstacle;  // why there is no function; empty: there is one
};

struct CodeWrite {
  const Pattern* pattern = nullptr;
  const Entity* entity = nullptr;
  // "create", "put", "update", "upsert", "delete" or "rekey".
  std::string kind;
  std::vector<const Attribute*> required;  // attributes that the caller must set
  std::vector<const Attribute*> optional;  // … may set
  std::vector<const Attribute*> adds;
  std::vector<std::string> removes;
  const Move* move = nullptr;
  std::vector<std::string> stamps;  // set to now by the move
  bool version = false;             // the caller says which version it expects
  const Predicate* guard = nullptr;
  std::vector<CodeParameter> parameters;  // of the guard
};

// Adds the parameters that the terms name, each once.
void AddParameters(const Table& table, const Entity& entity, const std::vector<Term>& terms,
                   std::vector<CodeParameter>& parameters);

// REQUIRES: a get, a query or a scan.
CodeRead PlanCodeRead(const Model& model, const Pattern& pattern);
// REQUIRES: a write of an entity that exists.
CodeWrite PlanCodeWrite(const Model& model, const Pattern& pattern);

// The attributes of an item that a key is made of, in the order of the key.
std::vector<std::string> PrimarySources(const Table& table, const Entity& entity);

// Attributes that are a JavaScript number or a Python int: whole numbers, times, counters.
bool IsWholeNumber(const Attribute& attribute);
// Filled in when a caller gives nothing: "= now", "= new", the version and the stamp of the machine.
bool IsFilledIn(const Entity& entity, const Attribute& attribute);
// A create must name it: nothing else gives it a value.
bool IsRequired(const Entity& entity, const Attribute& attribute);
// "epoch_s" …, as the descriptions of attributes in generated code name it; empty: none.
std::string UnitName(const Attribute& attribute);

}  // namespace stator::model

#endif  // STATOR_GENERATE_CODE_PLAN_H_
