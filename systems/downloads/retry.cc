#include "systems/downloads/retry.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <thread>

namespace stator::systems::downloads {
namespace {

constexpr std::chrono::milliseconds kWaitMax = std::chrono::seconds(30);

// Between the half and the whole of it.
std::chrono::milliseconds Shortened(std::chrono::milliseconds time) {
  thread_local std::minstd_rand dice(std::random_device{}());
  return std::chrono::milliseconds(
      std::uniform_int_distribution<std::int64_t>(time.count() / 2, time.count())(dice));
}

}  // namespace

bool Backoff::Again() {
  if (++failures_ >= options_.attempts) return false;
  const std::chrono::milliseconds time = Shortened(next_);
  if (options_.wait) {
    options_.wait(time);
  } else {
    std::this_thread::sleep_for(time);
  }
  next_ = std::min(next_ * 2, kWaitMax);
  return true;
}

void Backoff::Reset() {
  failures_ = 0;
  next_ = options_.first_wait;
}

Fallible<std::string> HttpTextWithRetries(const HttpCall& call, const RetryOptions& options) {
  Backoff backoff(options);
  while (true) {
    std::string text;
    auto reply = HttpReceive(call, {.begin = {}, .take = [&](std::string_view piece) {
                                      text += piece;
                                      return true;
                                    }});
    if (reply && reply->status == 200) return text;
    const bool is_hopeless = reply ? !IsTransient(reply->status) : reply.error().is_lasting;
    if (is_hopeless || !backoff.Again()) {
      if (!reply) return std::unexpected(std::move(reply).error().message);
      return std::unexpected(
          fmt::format("GET {}: {} {}", WithoutQuery(call.url), reply->status, reply->body));
    }
  }
}

}  // namespace stator::systems::downloads
