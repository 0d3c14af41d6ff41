// Made-up items as a model describes them: always the same for the same number.
#ifndef STATOR_PROOF_ITEM_MAKER_H_
#define STATOR_PROOF_ITEM_MAKER_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "model/model.h"
#include "stator/item.h"

namespace stator::proof {

// Values of attributes as text: digits of numbers, "true" of bools.
using Values = std::map<std::string, std::string, std::less<>>;

// The value that the attribute has in the item of this number. Texts and numbers grow with it and
// have the typical size of the attribute.
std::string ValueText(const model::Attribute& attribute, std::uint64_t number);
AttributeValue ValueOf(const model::Attribute& attribute, const std::string& text);

class ItemMaker {
 public:
  // REQUIRES: both outlive the object. Items hold the keys of `index` too, if it is not null.
  ItemMaker(const model::Model& model, const model::Entity& entity, const model::Index* index)
      : model_(model), entity_(entity), index_(index) {}

  // The item of this number, with the given values. An attribute whose value
  // is kAbsent is left out. Filled up, or cut, to the entity's stated size.
  Item Make(std::uint64_t number, const Values& given) const;

  // The text of a key attribute of that item.
  std::string KeyText(const model::KeyTemplate& key, std::uint64_t number,
                      const Values& given) const;

  static constexpr const char* kAbsent =
      "\x01"
      "absent";

 private:
  std::string SourceText(const std::string& name, std::uint64_t number, const Values& given) const;
  const model::Model& model_;
  const model::Entity& entity_;
  const model::Index* index_;
};

}  // namespace stator::proof

#endif  // STATOR_PROOF_ITEM_MAKER_H_
