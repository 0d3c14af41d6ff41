// Positions in a model file, and amounts.
#ifndef STATOR_MODEL_PLACE_H_
#define STATOR_MODEL_PLACE_H_

#include <cstdint>

namespace stator::model {

// Both count from 1; 0 means no place.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const Place&, const Place&) = default;
  friend auto operator<=>(const Place&, const Place&) = default;
};

// A number with its typical and its greatest value: "500/1500". Equal if only one was given.
struct Amount {
  double typical = 0;
  double max = 0;
};

}  // namespace stator::model

#endif  // STATOR_MODEL_PLACE_H_
