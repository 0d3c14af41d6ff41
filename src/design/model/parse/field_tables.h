// The fields of each part of a model file: what the parser accepts and what the schema for editors
// (docs/model.schema.json) lists under `definitions`.
#ifndef STATOR_MODEL_PARSE_FIELD_TABLES_H_
#define STATOR_MODEL_PARSE_FIELD_TABLES_H_

#include <span>
#include <string_view>

namespace stator::model {

struct FieldTable {
  std::string_view part;  // "table", "index" … as in the schema
  std::span<const std::string_view> names;

  bool Has(std::string_view name) const;
};

extern const FieldTable kModelFields;
extern const FieldTable kAssumeFields;
extern const FieldTable kTableFields;
extern const FieldTable kCapacityFields;
extern const FieldTable kIndexFields;
extern const FieldTable kSparseFields;
extern const FieldTable kShardsFields;
extern const FieldTable kEntityFields;
extern const FieldTable kVolumeFields;
extern const FieldTable kMachineFields;
extern const FieldTable kGetFields;
extern const FieldTable kQueryFields;
extern const FieldTable kScanFields;
extern const FieldTable kWriteFields;
extern const FieldTable kTransactionFields;
extern const FieldTable kCodeFields;
extern const FieldTable kMigrationFields;
extern const FieldTable kGrantFields;
extern const FieldTable kSnippetFields;
extern const FieldTable kClaimFields;

std::span<const FieldTable* const> AllFieldTables();

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_FIELD_TABLES_H_
