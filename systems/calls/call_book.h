// The book of calls: everything that can be asked of it and done with it.
//
// A call is addressed by its id, which is unique. Every change is conditional on the version that
// the caller has seen, or else on the one that was found: nobody overwrites what they have not
// read. Thread-safe.
#ifndef STATOR_SYSTEMS_CALLS_CALL_BOOK_H_
#define STATOR_SYSTEMS_CALLS_CALL_BOOK_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/calls/call.h"

namespace stator::systems::calls {

// With a value, a change fails with kConflict if the call has another version by now. Without one,
// a change that meets another change reads the call again and tries again.
using ExpectedVersion = std::optional<std::int64_t>;

struct NewCall {
  std::string call_id;
  std::string user_id;
  std::string provider_id;
  TimeMs scheduled_for{};
  std::string notes = {};  // empty: none
};

enum class Timeline : std::uint8_t { kAll, kUpcoming, kCompleted };

struct CallPage {
  std::vector<Call> calls;
  std::string cursor;  // empty: this is the last page
  double read_units = 0;
};

class CallBook {
 public:
  // `entities` must outlive this.
  explicit CallBook(Entities& entities) : entities_(entities) {}

  // kNotUnique if any call has this id already, whatever its time and user.
  EntityResult<Call> Schedule(const NewCall& call);
  EntityResult<Call> Complete(std::string_view call_id, ExpectedVersion expected = {});
  // For calls that are not completed yet. Rescheduling to the same time changes only the version.
  EntityResult<Call> Reschedule(std::string_view call_id, TimeMs to, ExpectedVersion expected = {});
  EntityResult<Call> Reassign(std::string_view call_id, std::string_view user_id,
                              ExpectedVersion expected = {});
  EntityResult<Call> ChangeProvider(std::string_view call_id, std::string_view provider_id,
                                    ExpectedVersion expected = {});
  // Returns the call as it was; its id may be used again.
  EntityResult<Call> Cancel(std::string_view call_id, ExpectedVersion expected = {});

  EntityResult<std::optional<Call>> Find(std::string_view call_id);
  // The first scheduled call at `from` or later.
  EntityResult<std::optional<Call>> Next(std::string_view user_id, TimeMs from);
  // The completed call with the latest *scheduled* time, which need not be the one completed last.
  EntityResult<std::optional<Call>> Last(std::string_view user_id);
  // Oldest first, completed calls newest first, unless the options say otherwise.
  EntityResult<CallPage> ReadTimeline(std::string_view user_id, Timeline which,
                                      const PageOptions& options = {});
  // Newest first, unless the options say otherwise.
  EntityResult<CallPage> OfProvider(std::string_view provider_id, const PageOptions& options = {});

 private:
  using Write = std::function<EntityResult<Item>(const Call& found, const WriteOptions& options)>;
  EntityResult<Call> ChangeFound(std::string_view call_id, ExpectedVersion expected,
                                 const Write& write);
  EntityResult<std::optional<Call>> First(std::string_view pattern,
                                          const PatternParameters& parameters);
  EntityResult<CallPage> ReadPage(std::string_view pattern, const PatternParameters& parameters,
                                  const PageOptions& options);

  Entities& entities_;
};

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_CALL_BOOK_H_
