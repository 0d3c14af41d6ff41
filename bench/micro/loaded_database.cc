#include "micro/loaded_database.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace stator::bench {
namespace {

// 2026-01-31 12:00:00 UTC
constexpr TimeMs kStart{std::chrono::milliseconds(1'769'860'800'000)};

[[noreturn]] void GiveUp(std::string_view what, std::string_view why) {
  fmt::print(stderr, "{} failed: {}\n", what, why);
  std::exit(1);
}

}  // namespace

PaddedJson::PaddedJson(std::string_view json) : bytes_(json), size_(json.size()) {
  bytes_.append(Database::kPadding, '\0');
}

std::vector<PaddedJson> MakeRequests(const Scenario& scenario, int first, int count) {
  std::vector<PaddedJson> requests;
  requests.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) requests.emplace_back(scenario.request(first + i));
  return requests;
}

LoadedDatabase::LoadedDatabase(const Scenario& scenario, const std::string& directory)
    : scenario_(scenario) {
  auto opened = Database::Open({.directory = directory,
                                .durability = Durability::kOff,
                                .clock = ClockSetting::FixedAt(kStart)});
  if (!opened) GiveUp("opening the database", opened.error().message());
  database_ = *std::move(opened);
  Call("CreateTable", PaddedJson(scenario.create_table));
  database_->WaitForBackgroundWork();
  for (int i = 0; i < kItemCount; ++i) {
    Call("PutItem",
         PaddedJson(fmt::format(R"({{"TableName":"bench","Item":{}}})", scenario.item(i))));
  }
}

std::size_t LoadedDatabase::Call(std::string_view operation, const PaddedJson& request) {
  std::atomic<bool> answered = false;
  Database::Answer answer;
  database_->ExecuteAsync(operation, request.view(), [&](Database::Answer got) {
    answer = std::move(got);
    answered.store(true);
    answered.notify_one();
  });
  answered.wait(false);
  if (answer.http_status != 200) GiveUp(operation, answer.body);
  return answer.body.size();
}

}  // namespace stator::bench
