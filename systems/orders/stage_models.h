// The models that follow each other in the migration, built in from migration/*.yaml.
#ifndef STATOR_SYSTEMS_ORDERS_STAGE_MODELS_H_
#define STATOR_SYSTEMS_ORDERS_STAGE_MODELS_H_

#include <cstdint>
#include <string_view>

namespace stator::systems::orders {

enum class Stage : std::uint8_t {
  kBefore = 1,   // the old index alone
  kWriters = 2,  // writers set the keys of both indexes, readers use the old one
  kReaders = 3,  // readers use the new one
  kAfter = 4,    // the new index alone
};

std::string_view StageModelText(Stage stage);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_STAGE_MODELS_H_
