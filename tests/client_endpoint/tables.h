// The table of these tests: a hash and a range key, a local and a global index.
#ifndef STATOR_TESTS_CLIENT_ENDPOINT_TABLES_H_
#define STATOR_TESTS_CLIENT_ENDPOINT_TABLES_H_

#include "stator/table_operations.h"

namespace stator::testing {

inline CreateTableRequest MusicTable() {
  using Definitions = std::vector<AttributeDefinition>;
  using Schema = std::vector<KeySchemaElement>;
  return {
      .attribute_definitions =
          Definitions{
              {"Artist", ScalarType::kS}, {"Song", ScalarType::kS}, {"Year", ScalarType::kN}},
      .table_name = "Music",
      .key_schema = Schema{{"Artist", KeyType::kHash}, {"Song", KeyType::kRange}},
      .local_secondary_indexes =
          std::vector<LocalSecondaryIndex>{
              {.index_name = "ByYear",
               .key_schema = Schema{{"Artist", KeyType::kHash}, {"Year", KeyType::kRange}},
               .projection = IndexProjection{ProjectionType::kAll, {}}}},
      .global_secondary_indexes =
          std::vector<GlobalSecondaryIndex>{
              {.index_name = "OfYear",
               .key_schema = Schema{{"Year", KeyType::kHash}},
               .projection =
                   IndexProjection{ProjectionType::kInclude, std::vector<std::string>{"Genre"}}}},
      .billing_mode = BillingMode::kPayPerRequest,
  };
}

}  // namespace stator::testing

#endif  // STATOR_TESTS_CLIENT_ENDPOINT_TABLES_H_
