// Updates, upserts and moves: one conditional write that keeps every derived key right.
//
// A derived key can be written without reading the item when the request names all of its sources.
// Otherwise the item is read first, and the write holds only if those sources have not changed
// meanwhile; if they have, it is made again from the item that was found.
#ifndef STATOR_ENTITY_UPDATE_H_
#define STATOR_ENTITY_UPDATE_H_

#include "entity/conditional_write.h"
#include "model/keys/predicate.h"

namespace stator::entity {

// What is known about the stored item before a write.
struct Current {
  bool known = false;
  std::optional<Item> item;  // known, but nullopt: it does not exist
};

class PendingUpdate {
 public:
  static EntityResult<PendingUpdate> Update(Context& context, std::string_view entity,
                                            const Item& key, const Change& change,
                                            const WriteOptions& options);
  static EntityResult<PendingUpdate> Upsert(Context& context, std::string_view entity,
                                            const Item& key, const Change& change,
                                            const WriteOptions& options);
  static EntityResult<PendingUpdate> Move(Context& context, std::string_view entity,
                                          const Item& key, std::string_view move,
                                          const Change& change, std::string_view to,
                                          const WriteOptions& options);

  const Home& home() const { return home_; }
  const Item& key() const { return key_; }
  bool NeedsRead() const;

  // The item's own write first, then those of its sentinels.
  EntityResult<std::vector<ConditionalWrite>> Writes(Context& context,
                                                     const Current& current) const;

  // Why the write cannot succeed, given the stored item; nullopt: it is worth another try.
  std::optional<EntityError> Judge(const Context& context, const std::optional<Item>& item) const;

  // The item after the write, as it is stored, when the one before it is known.
  EntityResult<Item> Stored(Context& context, const Item& before) const;

 private:
  PendingUpdate(Home home, Item known, Item key, Change change)
      : home_(std::move(home)),
        known_(std::move(known)),
        key_(std::move(key)),
        change_(std::move(change)) {}
  static EntityResult<PendingUpdate> Make(Context& context, std::string_view entity,
                                          const Item& key, const Change& change,
                                          const WriteOptions& options);

  // The application's own attributes after the write.
  Item After(const Item& before) const;
  EntityResult<void> ChooseState(Context& context, const model::Move& move, std::string_view to);
  std::vector<const model::KeyTemplate*> AffectedKeys() const;
  std::vector<std::string> Needed() const;  // attributes that the affected keys depend on
  bool IsGiven(std::string_view attribute) const;

  EntityResult<void> WriteDerived(Context& context, const Current& current, ConditionalWrite& write,
                                  struct Clauses& clauses) const;
  void WriteChange(ConditionalWrite& write, const Current& current, struct Clauses& clauses) const;
  void WriteCounters(ConditionalWrite& write, const Current& current,
                     struct Clauses& clauses) const;
  void WriteNewItem(Context& context, ConditionalWrite& write, struct Clauses& clauses) const;
  EntityResult<void> WriteCondition(const Context& context, const Current& current,
                                    ConditionalWrite& write) const;

  Home home_;
  Item known_;  // the sources of the key
  Item key_;
  Change change_;  // with the state and the stamps of a move
  WriteOptions options_;
  std::optional<model::Predicate> only_if_;
  const model::Move* move_ = nullptr;
  bool upsert_ = false;
};

// Reads if it must, writes, and tries again when another writer was faster.
EntityResult<Item> Perform(Context& context, const PendingUpdate& update);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_UPDATE_H_
