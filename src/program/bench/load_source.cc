#include "bench/load_source.h"

#include <algorithm>
#include <array>
#include <ctime>

#include "bench/tally.h"

namespace stator::bench {
namespace {

constexpr std::array<std::string_view, 4> kTransient = {
    "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded",
    "InternalServerError"};

constexpr int kBreaksMax = 1000;

bool IsTransient(int status, std::string_view body) {
  return status == 0 || status >= 500 ||
         std::ranges::find(kTransient, ErrorNameIn(body)) != kTransient.end();
}

// Whether every item of the batch was stored: {"UnprocessedItems":{}}.
bool StoredAll(std::string_view body) {
  const std::size_t at = body.find("\"UnprocessedItems\"");
  return at == std::string_view::npos || body.find("PutRequest", at) == std::string_view::npos;
}

}  // namespace

// A slot's key is the batch in flight plus one, 0 for none. Batches are made from their number, so
// that one which was refused is made again, equal.
RequestSource::Supply LoadSource::Next(Slot& slot, std::string_view& bytes) {
  if (progress_.has_failed) return Supply::kNever;
  const std::uint64_t batches = (plan_.items + kBatchItems - 1) / kBatchItems;
  if (slot.repeats) {
    slot.repeats = false;
    return Supply::kLater;
  }
  if (slot.key == 0) {
    const std::uint64_t batch = progress_.next_batch.fetch_add(1);
    if (batch >= batches) return Supply::kNever;
    slot.key = batch + 1;
  }
  const std::uint64_t first = (slot.key - 1) * kBatchItems;
  Prng prng(Scramble(seed_) ^ first);
  request_ = factory_.Make(
      "BatchWriteItem",
      LoadBody(plan_, first, std::min<std::uint64_t>(kBatchItems, plan_.items - first), prng));
  factory_.Sign(request_, std::time(nullptr));
  slot.operation = Operation::kBatchWriteItem;
  bytes = request_.bytes();
  return Supply::kRequest;
}

void LoadSource::OnAnswer(Slot& slot, int status, std::string_view body) {
  if (status == 0 && ++progress_.breaks_in_a_row > kBreaksMax) return Fail("connection lost");
  if (slot.key == 0) return;
  if (status == 200 && StoredAll(body)) {
    progress_.breaks_in_a_row = 0;
    const std::uint64_t first = (slot.key - 1) * kBatchItems;
    progress_.items_stored += std::min<std::uint64_t>(kBatchItems, plan_.items - first);
    slot.key = 0;
  } else if (status == 200 || IsTransient(status, body)) {
    slot.repeats = true;
  } else {
    Fail(body);
  }
}

void LoadSource::Fail(std::string_view reason) {
  failure_ = reason;
  progress_.has_failed = true;
}

}  // namespace stator::bench
