// Random commits against a std::map, on every store.
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "storage/testing/store_contract.h"

namespace stator {
namespace store_model_test {

using Model = std::map<std::string, std::string>;

class StoreModel : public StoreContract {};

INSTANTIATE_TEST_SUITE_P(Stores, StoreModel, testing::ValuesIn(StoreKinds()),
                         [](const auto& test) { return test.param.name; });

struct RandomWrite {
  int kind = 0;  // 0–3 put, 4–5 delete, 6 delete range
  std::string key;
  std::string value;  // of a range: its end

  bool IsRange() const { return kind == 6; }
};

struct RandomCommit {
  bool is_abandoned = false;
  std::vector<RandomWrite> writes;
};

// Few, short keys of any bytes, so that they collide.
rc::Gen<std::string> GenKey() {
  return rc::gen::resize(3, rc::gen::container<std::string>(
                                rc::gen::element('\0', '\x01', 'a', 'b', '\x7f', '\x80', '\xff')));
}

rc::Gen<RandomWrite> GenWrite() {
  return rc::gen::build<RandomWrite>(rc::gen::set(&RandomWrite::kind, rc::gen::inRange(0, 7)),
                                     rc::gen::set(&RandomWrite::key, GenKey()),
                                     rc::gen::set(&RandomWrite::value, GenKey()));
}

rc::Gen<RandomCommit> GenCommit() {
  return rc::gen::build<RandomCommit>(
      rc::gen::set(&RandomCommit::is_abandoned,
                   rc::gen::weightedElement<bool>({{4, false}, {1, true}})),
      rc::gen::set(&RandomCommit::writes,
                   rc::gen::container<std::vector<RandomWrite>>(GenWrite())));
}

Pairs Range(const Model& model, const KeyRange& range) {
  Pairs pairs;
  for (const auto& [key, value] : model) {
    if (key >= range.begin && (range.end.empty() || key < range.end))
      pairs.emplace_back(key, value);
  }
  return pairs;
}

void ApplyTo(Model& model, const RandomWrite& write) {
  if (write.kind <= 3) {
    model[write.key] = write.value;
  } else if (write.kind <= 5) {
    model.erase(write.key);
  } else {
    for (const auto& [key, value] : Range(model, {write.key, write.value})) model.erase(key);
  }
}

void AddTo(WriteBatch& batch, const RandomWrite& write) {
  if (write.kind <= 3) {
    batch.Put(write.key, write.value);
  } else if (write.kind <= 5) {
    batch.Delete(write.key);
  } else {
    batch.DeleteRange({write.key, write.value});
  }
}

// Every case has a prefix of its own, greater than those of earlier cases: opening a store takes longer
// than a case.
class Prefixed {
 public:
  explicit Prefixed(int number) : prefix_("case" + std::to_string(100'000 + number) + "/") {}

  std::string Key(const std::string& key) const { return prefix_ + key; }
  KeyRange Range(const std::string& begin, const std::string& end) const {
    return {prefix_ + begin, end.empty() ? "" : prefix_ + end};
  }

 private:
  const std::string prefix_;
};

void CheckEqual(const Store& store, const Model& model, const KeyRange& range,
                const ReadView* view) {
  Pairs expected = Range(model, range);
  RC_ASSERT(ScanAll(store, range, Direction::kForward, view) == expected);
  std::reverse(expected.begin(), expected.end());
  RC_ASSERT(ScanAll(store, range, Direction::kReverse, view) == expected);
}

void CommitToBoth(Store& store, Model& model, const Prefixed& names, const RandomCommit& commit) {
  std::vector<RandomWrite> writes = commit.writes;
  for (RandomWrite& write : writes) {
    if (write.IsRange() && !write.value.empty()) write.value = names.Key(write.value);
    write.key = names.Key(write.key);
  }
  const auto decide = [&](Values, WriteBatch& batch) {
    for (const RandomWrite& write : writes) AddTo(batch, write);
    return commit.is_abandoned ? Mutation::Verdict::kAbandon : Mutation::Verdict::kCommit;
  };
  RC_ASSERT(MutateAndWait(store, MakeMutation({}, decide)).has_value());
  if (commit.is_abandoned) return;
  for (const RandomWrite& write : writes) ApplyTo(model, write);
}

TEST_P(StoreModel, BehavesLikeASortedMap) {
  int case_number = 0;
  EXPECT_TRUE(rc::check([&] {
    const Prefixed names(++case_number);
    Model model;
    Model old_model;
    std::unique_ptr<ReadView> old_view = store_->Snapshot();
    const auto commits =
        *rc::gen::resize(15, rc::gen::container<std::vector<RandomCommit>>(GenCommit()));
    for (const RandomCommit& commit : commits) {
      CommitToBoth(*store_, model, names, commit);
      const std::string key = names.Key(*GenKey());
      const auto found = model.find(key);
      RC_ASSERT(Get(*store_, key) ==
                (found == model.end() ? std::nullopt : std::optional(found->second)));
      const KeyRange range = names.Range(*GenKey(), *GenKey());
      CheckEqual(*store_, model, range, nullptr);
      CheckEqual(*store_, old_model, range, old_view.get());
      if (*rc::gen::inRange(0, 3) == 0) {
        old_model = model;
        old_view = store_->Snapshot();
      }
    }
    CheckEqual(*store_, model, names.Range("", ""), nullptr);
  }));
}

}  // namespace store_model_test
}  // namespace stator
