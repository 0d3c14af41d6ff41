// For tests: writes through an engine that wait for their outcome.
#ifndef STATOR_ENGINE_TESTING_ENGINE_WRITES_H_
#define STATOR_ENGINE_TESTING_ENGINE_WRITES_H_

#include <gtest/gtest.h>

#include <future>
#include <utility>
#include <vector>

#include "engine/engine.h"

namespace stator {

// All writes in one commit.
inline Result<std::vector<WriteOutcome>> WriteAndWait(Engine& engine,
                                                      std::vector<ItemWrite> writes) {
  std::promise<Result<std::vector<WriteOutcome>>> done;
  engine.WriteItems(std::move(writes), [&done](Result<std::vector<WriteOutcome>> outcomes) {
    done.set_value(std::move(outcomes));
  });
  return done.get_future().get();
}

// A write that must succeed.
inline void MustWrite(Engine& engine, ItemWrite write) {
  std::vector<ItemWrite> writes;
  writes.push_back(std::move(write));
  const Result<std::vector<WriteOutcome>> outcomes = WriteAndWait(engine, std::move(writes));
  EXPECT_TRUE(outcomes) << outcomes.error().message();
}

}  // namespace stator

#endif  // STATOR_ENGINE_TESTING_ENGINE_WRITES_H_
