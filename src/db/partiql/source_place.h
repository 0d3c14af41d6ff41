// Where something stands in a statement's text, as DynamoDB shows it in its messages.
#ifndef STATOR_PARTIQL_SOURCE_PLACE_H_
#define STATOR_PARTIQL_SOURCE_PLACE_H_

#include <cstdint>

namespace stator::partiql {

// Lines and columns count from 1; columns and lengths count characters, not bytes.
struct SourcePlace {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t length = 0;
};

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_SOURCE_PLACE_H_
