// An environment in which a new database is made without waiting for the disk at every step.
//
// RocksDB syncs a dozen files and directories while it creates a database, each a trip to the disk,
// though nothing is in it yet. In this environment they are put off, and made up for by one sync of
// the whole file system before the directory's marker says that there is a database.
#ifndef STATOR_STORAGE_ROCKSDB_CREATION_ENV_H_
#define STATOR_STORAGE_ROCKSDB_CREATION_ENV_H_

#include <rocksdb/env.h>

#include <atomic>
#include <memory>

namespace stator {

class CreationEnv {
 public:
  CreationEnv();
  // REQUIRES: no database uses it any more.
  ~CreationEnv();

  rocksdb::Env* get() const { return env_.get(); }

  // From now on a sync is a sync. The caller makes up for those that were put off.
  void StopDeferring() { deferring_->store(false); }

 private:
  std::shared_ptr<std::atomic<bool>> deferring_;
  std::unique_ptr<rocksdb::Env> env_;
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_CREATION_ENV_H_
