// The names that the parts of a model may use.
#ifndef STATOR_MODEL_PARSE_KNOWN_NAMES_H_
#define STATOR_MODEL_PARSE_KNOWN_NAMES_H_

#include <optional>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace stator::model {

std::vector<std::string_view> TableNames(const Model& model);
std::vector<std::string_view> IndexNames(const Table& table);
std::vector<std::string_view> EntityNames(const Model& model);
std::vector<std::string_view> PatternNames(const Model& model);
std::vector<std::string_view> KeyNames(const Table& table);     // of the table and its indexes
std::vector<std::string_view> VerbNames(const Entity& entity);  // create … and its moves

// Attributes and keys. Nothing if the entity declares no attributes, and so may have any.
std::optional<std::vector<std::string_view>> AttributeNames(const Model& model,
                                                            const Entity& entity);
// … of all entities of the table. Nothing if one of them may have any, or there are none.
std::optional<std::vector<std::string_view>> AttributeNames(const Model& model, const Table& table);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_KNOWN_NAMES_H_
