#include "tests/model/checker.h"

#include "tests/model/page_check.h"

namespace stator::model_test {

Verdict Checker::FollowLateIndex() {
  const LateIndex::State state = late_index_.state();
  if (state == LateIndex::State::kFailed) return Mismatch{late_index_.problem(), std::nullopt};
  model_.schema().SetLateIndex(state == LateIndex::State::kActive);
  unjudged_index_ = state == LateIndex::State::kChanging ? kLateIndexName : "";
  return std::nullopt;
}

Verdict Checker::Check(const Operation& operation) {
  RETURN_IF_MISMATCH(FollowLateIndex());
  if (!unjudged_index_.empty()) reached_.Count(Case::kLateIndexChanging);
  if (const auto* write = std::get_if<WriteOperation>(&operation)) return CheckWrite(*write);
  if (const auto* batch = std::get_if<BatchWriteOperation>(&operation)) {
    return CheckBatchWrite(*batch);
  }
  if (const auto* get = std::get_if<GetOperation>(&operation)) {
    return get->batch ? CheckBatchGet(*get) : CheckGet(*get);
  }
  if (const auto* page = std::get_if<PageOperation>(&operation)) {
    if (page->index && !model_.schema().FindIndex(*page->index)) return std::nullopt;
    if (page->index == kLateIndexName) reached_.Count(Case::kLateIndexRead);
    return PageCheck(database_, model_, *page, reached_).Run();
  }
  late_index_.Change();
  return std::nullopt;
}

}  // namespace stator::model_test
