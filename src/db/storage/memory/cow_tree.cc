#include "storage/memory/cow_tree.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace stator {
namespace {

constexpr std::size_t kFanout = 32;

struct Record {
  std::string key;
  std::string value;

  std::uint64_t ByteCount() const { return key.size() + value.size(); }
};
using RecordPtr = std::shared_ptr<const Record>;
using SeparatorPtr = std::shared_ptr<const std::string>;

std::ptrdiff_t Offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

// Moves the upper half of a vector, from `index` on, to a new one.
template <class T>
std::vector<T> CutFrom(std::vector<T>& items, std::size_t index) {
  std::vector<T> cut(std::make_move_iterator(items.begin() + Offset(index)),
                     std::make_move_iterator(items.end()));
  items.resize(index);
  return cut;
}

}  // namespace

// A leaf has records. An inner node has children and, between each two of them, the lowest key that
// the right one may hold. No node is empty.
struct CowTree::Node {
  std::uint64_t edit = 0;
  std::vector<RecordPtr> records;
  std::vector<NodePtr> children;
  std::vector<SeparatorPtr> separators;

  bool IsLeaf() const { return children.empty(); }

  // The first record whose key is not below `key`.
  std::size_t RecordAt(std::string_view key) const {
    const auto at = std::ranges::lower_bound(
        records, key, {}, [](const RecordPtr& record) { return std::string_view(record->key); });
    return static_cast<std::size_t>(at - records.begin());
  }
  bool HasRecordAt(std::size_t index, std::string_view key) const {
    return index < records.size() && records[index]->key == key;
  }
  // The child that may hold `key`.
  std::size_t ChildAt(std::string_view key) const {
    const auto at = std::ranges::upper_bound(
        separators, key, {},
        [](const SeparatorPtr& separator) { return std::string_view(*separator); });
    return static_cast<std::size_t>(at - separators.begin());
  }
};

// The upper half of a node that has grown too large.
struct CowTree::Split {
  SeparatorPtr separator;
  NodePtr node;
};

CowTree CowTree::FrozenCopy() {
  CowTree copy = *this;
  ++edit_;
  return copy;
}

std::optional<std::string_view> CowTree::Find(std::string_view key) const {
  if (root_ == nullptr) return std::nullopt;
  const Node* node = root_.get();
  while (!node->IsLeaf()) node = node->children[node->ChildAt(key)].get();
  const std::size_t index = node->RecordAt(key);
  if (!node->HasRecordAt(index, key)) return std::nullopt;
  return node->records[index]->value;
}

// The node itself if no frozen copy shares it; otherwise puts a copy in its place.
CowTree::Node& CowTree::Own(NodePtr& node) const {
  if (node->edit != edit_) {
    node = std::make_shared<Node>(*node);
    node->edit = edit_;
  }
  return *node;
}

void CowTree::Put(std::string_view key, std::string_view value) {
  if (root_ == nullptr) {
    root_ = std::make_shared<Node>();
    root_->edit = edit_;
  }
  if (std::optional<Split> split = Put(root_, key, value)) {
    auto root = std::make_shared<Node>();
    root->edit = edit_;
    root->children = {std::move(root_), std::move(split->node)};
    root->separators = {std::move(split->separator)};
    root_ = std::move(root);
  }
}

std::optional<CowTree::Split> CowTree::Put(NodePtr& slot, std::string_view key,
                                           std::string_view value) {
  if (!slot->IsLeaf()) return PutChild(slot, key, value);
  Node& node = Own(slot);
  const std::size_t index = node.RecordAt(key);
  auto record = std::make_shared<const Record>(std::string(key), std::string(value));
  byte_count_ += record->ByteCount();
  if (node.HasRecordAt(index, key)) {
    byte_count_ -= node.records[index]->ByteCount();
    node.records[index] = std::move(record);
  } else {
    node.records.insert(node.records.begin() + Offset(index), std::move(record));
  }
  return SplitIfFull(node);
}

std::optional<CowTree::Split> CowTree::PutChild(NodePtr& slot, std::string_view key,
                                                std::string_view value) {
  Node& node = Own(slot);
  const std::size_t index = node.ChildAt(key);
  std::optional<Split> split = Put(node.children[index], key, value);
  if (!split) return std::nullopt;
  node.children.insert(node.children.begin() + Offset(index) + 1, std::move(split->node));
  node.separators.insert(node.separators.begin() + Offset(index), std::move(split->separator));
  return SplitIfFull(node);
}

std::optional<CowTree::Split> CowTree::SplitIfFull(Node& node) const {
  if (std::max(node.records.size(), node.children.size()) <= kFanout) return std::nullopt;
  Split split{.node = std::make_shared<Node>()};
  split.node->edit = edit_;
  if (node.IsLeaf()) {
    split.node->records = CutFrom(node.records, kFanout / 2);
    split.separator = std::make_shared<const std::string>(split.node->records.front()->key);
  } else {
    split.node->children = CutFrom(node.children, kFanout / 2);
    split.node->separators = CutFrom(node.separators, kFanout / 2);
    split.separator = std::move(node.separators.back());
    node.separators.pop_back();
  }
  return split;
}

void CowTree::Erase(std::string_view key) {
  if (!Find(key)) return;
  Erase(root_, key);
  while (root_ != nullptr && root_->children.size() == 1) {
    NodePtr only = root_->children.front();
    root_ = std::move(only);
  }
}

// REQUIRES: the tree has the key. Removes nodes that become empty, but does not merge neighbours:
// that would cost more than sparse nodes do.
void CowTree::Erase(NodePtr& slot, std::string_view key) {
  Node& node = Own(slot);
  if (node.IsLeaf()) {
    const std::size_t index = node.RecordAt(key);
    byte_count_ -= node.records[index]->ByteCount();
    node.records.erase(node.records.begin() + Offset(index));
    if (node.records.empty()) slot.reset();
    return;
  }
  const std::size_t index = node.ChildAt(key);
  Erase(node.children[index], key);
  if (node.children[index] != nullptr) return;
  node.children.erase(node.children.begin() + Offset(index));
  if (node.children.empty()) {
    slot.reset();
    return;
  }
  node.separators.erase(node.separators.begin() + Offset(index == 0 ? 0 : index - 1));
}

void CowTree::Visit(const KeyRange& range, Direction direction, const Visitor& visit) const {
  if (root_ == nullptr) return;
  if (direction == Direction::kForward) {
    VisitForward(*root_, range, visit);
  } else {
    VisitReverse(*root_, range, visit);
  }
}

bool CowTree::VisitForward(const Node& node, const KeyRange& range, const Visitor& visit) {
  if (!node.IsLeaf()) {
    // Children that begin after the range visit nothing and end the walk.
    for (std::size_t i = node.ChildAt(range.begin); i < node.children.size(); ++i) {
      if (!VisitForward(*node.children[i], range, visit)) return false;
    }
    return true;
  }
  for (std::size_t i = node.RecordAt(range.begin); i < node.records.size(); ++i) {
    const Record& record = *node.records[i];
    if (!range.end.empty() && record.key >= range.end) return false;
    if (!visit(record.key, record.value)) return false;
  }
  return true;
}

bool CowTree::VisitReverse(const Node& node, const KeyRange& range, const Visitor& visit) {
  if (!node.IsLeaf()) {
    const std::size_t last = range.end.empty() ? node.children.size() - 1 : node.ChildAt(range.end);
    for (std::size_t i = last + 1; i-- > 0;) {
      if (!VisitReverse(*node.children[i], range, visit)) return false;
    }
    return true;
  }
  const std::size_t end = range.end.empty() ? node.records.size() : node.RecordAt(range.end);
  for (std::size_t i = end; i-- > 0;) {
    const Record& record = *node.records[i];
    if (record.key < range.begin) return false;
    if (!visit(record.key, record.value)) return false;
  }
  return true;
}

}  // namespace stator
