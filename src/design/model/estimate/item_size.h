// Bytes of items, index entries and their attributes, as DynamoDB counts them.
#ifndef STATOR_MODEL_ESTIMATE_ITEM_SIZE_H_
#define STATOR_MODEL_ESTIMATE_ITEM_SIZE_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace stator::model {

// Bytes of a value.
Amount ValueBytes(const Attribute& attribute);

// Digits of a number that is written as text, in a template.
Amount Digits(const Attribute& attribute);

// Bytes of the text that a template gives, with the values of the entity.
Amount RenderedBytes(const Entity& entity, const KeyTemplate& key);

// An attribute that items have: declared, or made by a template.
struct StoredAttribute {
  std::string name;
  Amount value_bytes;
  bool usual = true;     // false: most items lack it (optional, or a key of a sparse index)
  Amount Bytes() const;  // of name and value
};

// Everything that an item of the entity can hold. Attributes that only templates name are not
// stored themselves, unless they are keys.
std::vector<StoredAttribute> StoredAttributes(const Model& model, const Entity& entity);

// True if items of the entity can have all keys of the index.
bool CanEnter(const Entity& entity, const Index& index);

// The part of the entity's items that are in the index at a time.
double EntryShare(const Model& model, const Entity& entity, const Index& index);

bool IsKeyOf(const Index& index, std::string_view attribute);
bool IsKeyOf(const Table& table, std::string_view attribute);
// True if the index holds the attribute: a key of either, or projected.
bool Projects(const Table& table, const Index& index, std::string_view attribute);

}  // namespace stator::model

#endif  // STATOR_MODEL_ESTIMATE_ITEM_SIZE_H_
