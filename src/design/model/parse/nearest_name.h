// The valid name that a wrong one was probably meant to be.
#ifndef STATOR_MODEL_PARSE_NEAREST_NAME_H_
#define STATOR_MODEL_PARSE_NEAREST_NAME_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace stator::model {

// How many characters must be changed, added, removed or swapped with their neighbour. Letters that
// differ in case only count as equal.
std::size_t EditDistance(std::string_view left, std::string_view right);

// The same as a distance of one, in linear time.
bool OneEditApart(std::string_view left, std::string_view right);

// Empty if none is near: at most a third of the name may differ.
std::string_view NearestName(std::string_view name, std::span<const std::string_view> valid);

// "did you mean `jobs`?", or "one of a, b, c", or "" if there are too many to list.
std::string NameHint(std::string_view name, std::span<const std::string_view> valid);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_NEAREST_NAME_H_
