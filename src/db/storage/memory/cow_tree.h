// CowTree: a sorted map of byte strings whose copies share their nodes.
//
// A B+ tree with copy-on-write nodes: copying the tree takes one reference, and a change copies only
// those nodes on its path that another copy may see.
#ifndef STATOR_STORAGE_MEMORY_COW_TREE_H_
#define STATOR_STORAGE_MEMORY_COW_TREE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "storage/store.h"

namespace stator {

// One thread at a time may change a tree, while any number of threads read its frozen copies.
class CowTree {
 public:
  // Makes a copy that later changes of this tree do not affect.
  CowTree FrozenCopy();

  void Put(std::string_view key, std::string_view value);
  void Erase(std::string_view key);

  // Valid as long as this tree is neither changed nor destroyed.
  std::optional<std::string_view> Find(std::string_view key) const;
  // Visits the range in order, or in reverse, until the visitor returns false.
  void Visit(const KeyRange& range, Direction direction, const Visitor& visit) const;

  // The bytes of all keys and values.
  std::uint64_t ByteCount() const { return byte_count_; }

 private:
  struct Node;
  struct Split;
  using NodePtr = std::shared_ptr<Node>;

  Node& Own(NodePtr& node) const;
  std::optional<Split> Put(NodePtr& slot, std::string_view key, std::string_view value);
  std::optional<Split> PutChild(NodePtr& slot, std::string_view key, std::string_view value);
  std::optional<Split> SplitIfFull(Node& node) const;
  void Erase(NodePtr& slot, std::string_view key);
  static bool VisitForward(const Node& node, const KeyRange& range, const Visitor& visit);
  static bool VisitReverse(const Node& node, const KeyRange& range, const Visitor& visit);

  NodePtr root_;
  // Grows with every frozen copy. A node of the current edit belongs to no copy, so it may be changed
  // in place.
  std::uint64_t edit_ = 0;
  std::uint64_t byte_count_ = 0;
};

}  // namespace stator

#endif  // STATOR_STORAGE_MEMORY_COW_TREE_H_
