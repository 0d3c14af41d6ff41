// Bytes of items, index entries and their attributes as DynamoDB counts them, and the units that it
// takes to read and write them.
#ifndef STATOR_MODEL_ESTIMATE_ITEM_SIZE_H_
#define STATOR_MODEL_ESTIMATE_ITEM_SIZE_H_

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "model/keys/key_access.h"
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

// The part of the entity's items that are in the index at any time.
double EntryShare(const Model& model, const Entity& entity, const Index& index);

// True if the index holds the attribute: a key of the table or the index, or projected.
bool Projects(const Table& table, const Index& index, std::string_view attribute);

// One Query or Scan.
struct PageRun {
  double available = 0;    // entries in the range
  double entry_bytes = 0;  // of each
  double wanted =
      std::numeric_limits<double>::infinity();  // reads no further page after that many entries
  double limit = std::numeric_limits<double>::infinity();  // entries per request
  bool one_request = false;                                // reads one page only
  bool strong = false;
};

struct PageTotals {
  double items = 0;
  double bytes = 0;
  double pages = 0;
  double units = 0;
};

// Each page's bytes are added up and rounded up to 4 KB. A full page is followed by another, even
// if that one is empty: only then is it known that there is no more. One and a half entries are
// sometimes one and sometimes two.
PageTotals ReadPages(const PageRun& run);

// Units of one item that is read by its key.
double ItemReadUnits(double bytes, bool strong);
// Units of one write of that many bytes.
double ItemWriteUnits(double bytes);

}  // namespace stator::model

#endif  // STATOR_MODEL_ESTIMATE_ITEM_SIZE_H_
