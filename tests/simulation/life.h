// The life of one simulated disk: something works on it, the power fails or calls do, and it is opened
// again.
#ifndef STATOR_TESTS_SIMULATION_LIFE_H_
#define STATOR_TESTS_SIMULATION_LIFE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "storage/store.h"
#include "storage/testing/simulated_disk.h"
#include "tests/simulation/simulation.h"

namespace stator::simulation {

class Life {
 public:
  Life(std::uint64_t seed, bool with_faults, Tally& tally);
  virtual ~Life() = default;
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;

  // Opens, checks, works until something fails, and ends; and again until the power, or a call, has
  // failed `count` times.
  Problem Rounds(std::uint64_t count);

 protected:
  // Why it cannot be opened.
  virtual Problem Open() = 0;
  // Whether what has just been opened is what it must be. Calls Settled if so.
  virtual Problem CheckOpened() = 0;
  virtual void Work() = 0;
  // Whether what it shows after a failure is right, if it shows anything.
  virtual Problem CheckRunning() = 0;
  virtual void Close() = 0;

  StorageResult<std::unique_ptr<Store>> OpenStore();
  // A failure is none of the database's if the disk is off or fails.
  Problem MayFail(std::string what) const;
  // What was acknowledged must be there: the power has not failed, or every commit was synced, or all
  // were at an orderly end.
  bool KeepsAll() const { return sync_ == SyncMode::kAlways || !was_cut_ || is_closed_; }
  void Settled() { was_cut_ = is_closed_ = false; }

  Random& random() { return random_; }
  SimulatedDisk& disk() { return disk_; }
  const SimulatedDisk& disk() const { return disk_; }
  Tally& tally() { return tally_; }
  bool with_faults() const { return with_faults_; }

 private:
  Problem Round();
  Problem CutRound();
  Problem FaultRound();

  Random random_;
  SimulatedDisk disk_;
  const std::unique_ptr<rocksdb::Env> env_;
  const bool with_faults_;
  Tally& tally_;
  SyncMode sync_;
  bool was_cut_ = false;
  bool is_closed_ = false;
};

}  // namespace stator::simulation

#endif  // STATOR_TESTS_SIMULATION_LIFE_H_
