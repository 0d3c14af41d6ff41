#include "bench/request_sources.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

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

// As many different texts as fit a core's cache beside everything else.
constexpr std::uint64_t kTexts = 64;
constexpr std::uint64_t kBatchTexts = 4;
constexpr std::uint64_t kScanLimitMax = 100;  // of YCSB's mix E

std::uint64_t VariantCount(Operation operation, bool is_mix) {
  switch (operation) {
    case Operation::kPutItem:
    case Operation::kInsert:
    case Operation::kUpdateItem:
    case Operation::kConditionalUpdate:
      return kTexts;
    case Operation::kBatchWriteItem:
    case Operation::kTransactWriteItems:
      return kBatchTexts;
    case Operation::kScan:
      return is_mix ? kScanLimitMax : 1;
    default:
      return 1;
  }
}

}  // namespace

// A slot's key is the number of the batch in flight plus one, 0 for none. A batch follows from its
// number, so that a refused one is the same when it is made again.
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
  if (status == kStatusOk && StoredAll(body)) {
    progress_.breaks_in_a_row = 0;
    const std::uint64_t first = (slot.key - 1) * kBatchItems;
    progress_.items_stored += std::min<std::uint64_t>(kBatchItems, plan_.items - first);
    slot.key = 0;
  } else if (status == kStatusOk || IsTransient(status, body)) {
    slot.repeats = true;
  } else {
    Fail(body);
  }
}

void LoadSource::Fail(std::string_view reason) {
  failure_ = reason;
  progress_.has_failed = true;
}

WorkloadSource::WorkloadSource(const Workload& workload, const DataPlan& plan, KeyChooser& keys,
                               RequestFactory factory, std::uint64_t seed)
    : workload_(workload), plan_(plan), keys_(keys), factory_(std::move(factory)), prng_(seed) {
  for (const Share& share : workload_.shares) {
    Prepare(share.operation);
    if (share.operation == Operation::kReadModifyWrite) Prepare(Operation::kUpdateItem);
  }
}

void WorkloadSource::Prepare(Operation operation) {
  std::vector<Request>& variants = prepared_[static_cast<std::size_t>(operation)];
  if (!variants.empty()) return;
  const bool is_mix = workload_.shares.size() > 1;
  const std::uint64_t count = VariantCount(operation, is_mix);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t limit = is_mix ? i + 1 : plan_.query_items;
    variants.push_back(
        factory_.Make(WireName(operation), OperationBody(operation, plan_, limit, prng_)));
  }
}

RequestSource::Supply WorkloadSource::Next(Slot& slot, std::string_view& bytes) {
  Operation operation = Operation::kUpdateItem;
  if (!slot.has_follow_up) {
    operation = Choose();
    slot.key = operation == Operation::kInsert ? keys_.New() : keys_.Existing(prng_);
  }
  std::vector<Request>& variants = prepared_[static_cast<std::size_t>(operation)];
  Request& request = variants[variants.size() == 1 ? 0 : prng_.Below(variants.size())];
  const bool is_first_half = operation == Operation::kReadModifyWrite;
  slot.operation = is_first_half ? Operation::kGetItem : operation;
  slot.has_follow_up = is_first_half;
  Fill(request, slot);
  factory_.Sign(request, std::time(nullptr));
  bytes = request.bytes();
  return Supply::kRequest;
}

Operation WorkloadSource::Choose() {
  const std::vector<Share>& shares = workload_.shares;
  if (shares.size() == 1) return shares[0].operation;
  double left = prng_.Unit();
  for (const Share& share : shares) {
    if (left < share.fraction) return share.operation;
    left -= share.fraction;
  }
  return shares.back().operation;
}

void WorkloadSource::Fill(Request& request, Slot& slot) {
  switch (slot.operation) {
    case Operation::kQuery:
      return FillQuery(request);
    case Operation::kBatchGetItem:
    case Operation::kBatchWriteItem:
    case Operation::kTransactWriteItems: {
      // Neighbours, because a batch must not name an item twice.
      const std::uint64_t last =
          plan_.items - std::min<std::uint64_t>(plan_.items, request.hole_count());
      const std::uint64_t first = std::min(slot.key, last);
      for (std::size_t i = 0; i < request.hole_count(); ++i) request.Fill(i, first + i);
      return;
    }
    case Operation::kPutItem:
    case Operation::kInsert:
      request.FillAll(slot.key);
      return request.Fill(request.hole_count() - 1, prng_.Next());
    default:
      return request.FillAll(slot.key);
  }
}

void WorkloadSource::FillQuery(Request& request) {
  request.Fill(0, keys_.Existing(prng_) / plan_.partition_items);
  if (request.hole_count() == 1) return;
  const std::uint64_t first = prng_.Below(plan_.partition_items - plan_.query_items + 1);
  request.Fill(1, first);
  request.Fill(2, first + plan_.query_items - 1);
}

void WorkloadSource::OnAnswer(Slot& slot, int status, std::string_view) {
  if (status != kStatusOk) {
    slot.has_follow_up = false;
  } else if (slot.operation == Operation::kInsert) {
    keys_.OnStored();
  }
}

}  // namespace stator::bench
