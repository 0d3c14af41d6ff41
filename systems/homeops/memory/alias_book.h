// The words of each chat, and what they mean there.
#ifndef STATOR_SYSTEMS_HOMEOPS_MEMORY_ALIAS_BOOK_H_
#define STATOR_SYSTEMS_HOMEOPS_MEMORY_ALIAS_BOOK_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/memory/message.h"
#include "systems/homeops/understanding/classifier.h"

namespace stator::systems::homeops {

struct AliasBookOptions {
  // The process that teaches an alias sees it at once; others within five minutes. If this is off,
  // all see it within five minutes.
  bool forget_when_taught = true;
};

// Thread-safe.
class AliasBook {
 public:
  explicit AliasBook(Entities& entities, AliasBookOptions options = {})
      : entities_(entities), options_(options) {}

  // All aliases of a chat, in one query, remembered for five minutes.
  EntityResult<std::vector<Alias>> Of(std::string_view chat);
  // Those that mean this activity.
  EntityResult<std::vector<Alias>> For(std::string_view chat, std::string_view activity);
  EntityResult<std::optional<Alias>> Find(std::string_view chat, std::string_view phrase);

  // Gives a chat the aliases that every chat starts with; what was taught since then stays.
  EntityResult<void> LoadSeeds(std::string_view chat);

  // From here on `phrase` means `activity`. The same meaning again is a confirmation, another one
  // takes over. `because` is the message that says so; it teaches once, however often it comes.
  EntityResult<void> Teach(std::string_view chat, std::string_view phrase,
                           std::string_view activity, const Message* because = nullptr);

  // Takes back what a message has taught, whose record this is: the phrase means again what it meant
  // before, or nothing. `because` asks for it. What others have taught since then stays.
  EntityResult<void> Restore(const Item& taught, const Message& because);

  // The canonical name of what somebody calls an activity in this chat.
  EntityResult<std::string> Canonical(std::string_view chat, std::string_view name);

 private:
  EntityResult<void> TeachOnce(const Item& key, std::string_view activity, const Message* because);

  Entities& entities_;
  AliasBookOptions options_;
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_MEMORY_ALIAS_BOOK_H_
