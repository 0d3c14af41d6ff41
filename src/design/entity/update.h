// Updates, upserts and moves: one conditional write that keeps every derived key right.
//
// A derived key can be written without a look at the item when the request names all of its sources.
// Otherwise the item is read first, and the write holds only if those sources have not changed
// meanwhile; if they have, it is made again from the item that was there.
#ifndef STATOR_ENTITY_UPDATE_H_
#define STATOR_ENTITY_UPDATE_H_

#include "entity/item_write.h"
#include "model/keys/predicate.h"

namespace stator::entity {

// What is known about the stored item before a write.
struct Current {
  bool known = false;
  std::optional<Item> item;  // known, but nullopt: it is not there
};

class UpdateWish {
 public:
  static EntityResult<UpdateWish> Update(Context& context, std::string_view entity, const Item& key,
                                         const Change& change, const WriteOptions& options);
  static EntityResult<UpdateWish> Upsert(Context& context, std::string_view entity, const Item& key,
                                         const Change& change, const WriteOptions& options);
  static EntityResult<UpdateWish> Move(Context& context, std::string_view entity, const Item& key,
                                       std::string_view move, const Change& change,
                                       std::string_view to, const WriteOptions& options);

  const Home& home() const { return home_; }
  const Item& key() const { return key_; }
  bool NeedsRead() const;

  // The item's own write first, then those of its sentinels.
  EntityResult<std::vector<ItemWrite>> Writes(Context& context, const Current& current) const;

  // Why the write cannot succeed, given the item that is there; nullopt: it is worth another try.
  std::optional<EntityError> Judge(const Context& context, const std::optional<Item>& item) const;

  // The item after the write, as it is stored, when the one before it is known.
  EntityResult<Item> Stored(Context& context, const Item& before) const;

 private:
  UpdateWish(Home home, Item known, Item key, Change change)
      : home_(std::move(home)),
        known_(std::move(known)),
        key_(std::move(key)),
        change_(std::move(change)) {}
  static EntityResult<UpdateWish> Make(Context& context, std::string_view entity, const Item& key,
                                       const Change& change, const WriteOptions& options);

  // The application's own attributes after the write.
  Item After(const Item& before) const;
  EntityResult<void> ChooseState(Context& context, const model::Move& move, std::string_view to);
  std::vector<const model::KeyTemplate*> AffectedKeys() const;
  std::vector<std::string> Needed() const;  // attributes that the affected keys depend on
  bool IsGiven(std::string_view attribute) const;

  EntityResult<void> WriteDerived(Context& context, const Current& current, ItemWrite& write,
                                  struct Clauses& clauses) const;
  void WriteChange(ItemWrite& write, const Current& current, struct Clauses& clauses) const;
  void WriteCounters(ItemWrite& write, const Current& current, struct Clauses& clauses) const;
  void WriteNewItem(Context& context, ItemWrite& write, struct Clauses& clauses) const;
  EntityResult<void> WriteCondition(const Context& context, const Current& current,
                                    ItemWrite& write) const;

  Home home_;
  Item known_;  // the sources of the key
  Item key_;
  Change change_;  // with the state and the stamps of a move
  WriteOptions options_;
  std::optional<model::Predicate> only_if_;
  const model::Move* move_ = nullptr;
  bool upsert_ = false;
};

// Reads if it must, writes, and tries again when somebody else was faster.
EntityResult<Item> CarryOut(Context& context, const UpdateWish& wish);

// The item as it is now, read strongly.
EntityResult<std::optional<Item>> ReadItem(Context& context, const Home& home, const Item& key,
                                           bool strong = true);

// The error for a failure that no other try can mend.
EntityError ErrorOf(const SendFailure& failure);
EntityError MissingError(const Home& home);

// Waits a little, longer after each attempt, before a transaction that met another is sent again.
void WaitForOthers(Context& context, int attempt);

// The extra condition of an option, parsed; empty text: none.
EntityResult<std::optional<model::Predicate>> ParsedCondition(const std::string& only_if);
model::Parameters ParametersOf(const std::vector<std::pair<std::string, AttributeValue>>& given);

// What the options and the version ask for.
EntityResult<void> AddOptions(const Context& context, const Home& home, const WriteOptions& options,
                              const std::optional<model::Predicate>& only_if, ItemWrite& write);
std::optional<EntityError> JudgeOptions(const Context& context, const Home& home,
                                        const WriteOptions& options,
                                        const std::optional<model::Predicate>& only_if,
                                        const Item& item);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_UPDATE_H_
