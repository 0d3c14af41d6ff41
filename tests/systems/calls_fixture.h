// The book of calls on a fresh endpoint.
#ifndef STATOR_TESTS_SYSTEMS_CALLS_FIXTURE_H_
#define STATOR_TESTS_SYSTEMS_CALLS_FIXTURE_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "systems/calls/audit.h"
#include "systems/calls/call_book.h"
#include "systems/program/model_text.h"
#include "tests/systems/system_fixture.h"

namespace stator::testing {

// The time at which SystemWorld's clock stands: 2026-02-28T08:00:00Z.
inline constexpr std::int64_t kNow = 1'772'265'600'000;

inline TimeMs At(std::int64_t milliseconds) {
  return TimeMs{std::chrono::milliseconds(milliseconds)};
}

class CallsWorld : public ::testing::Test {
 protected:
  CallsWorld() : world_(systems::calls::ModelText()), book_(world_.entities()) {}

  systems::calls::Call Schedule(const std::string& id, const std::string& user, std::int64_t at,
                                const std::string& provider = "p1") {
    auto call = book_.Schedule(
        {.call_id = id, .user_id = user, .provider_id = provider, .scheduled_for = At(at)});
    EXPECT_TRUE(call) << (call ? "" : call.error().message);
    return call.value_or(systems::calls::Call{});
  }

  // What is stored under a call's key, of Calls itself.
  std::optional<Item> Stored(const std::string& user, const std::string& sk) {
    const auto got = world_.endpoint().GetItem({.table_name = "Calls",
                                                .key = Item{{"userId", user}, {"sk", sk}},
                                                .consistent_read = true});
    EXPECT_TRUE(got) << (got ? "" : got.error().message());
    return got ? got->item : std::nullopt;
  }

  std::int64_t Rows(const std::string& index = {}) {
    ScanRequest request{.table_name = "Calls"};
    if (!index.empty()) request.index_name = index;
    return world_.endpoint().Scan(request)->count;
  }

  // The units that `change` writes.
  template <class Change>
  double Written(Change change) {
    const double before = world_.entities().used().write;
    const auto done = change();
    EXPECT_TRUE(done) << (done ? "" : done.error().message);
    return world_.entities().used().write - before;
  }

  std::vector<std::string> Audit() {
    const auto audit =
        systems::calls::AuditCalls(world_.endpoint(), world_.model(), {.clock = &world_.clock()});
    return audit ? audit->flaws : std::vector<std::string>{audit.error().message()};
  }

  SystemWorld world_;
  systems::calls::CallBook book_;
};

inline std::vector<std::string> Ids(const std::vector<systems::calls::Call>& calls) {
  std::vector<std::string> ids;
  for (const auto& call : calls) ids.push_back(call.call_id);
  return ids;
}

}  // namespace stator::testing

#endif  // STATOR_TESTS_SYSTEMS_CALLS_FIXTURE_H_
