// RocksDB's files, for threads that must not wait for a disk, and for nobody but their owner.
//
// A read by a thread whose work must not wait (Work::MayWait in base/work.h) succeeds only if the
// operating system has the bytes in memory. Otherwise the read fails and the work ends elsewhere.
#ifndef STATOR_STORAGE_ROCKSDB_WAITLESS_FILES_H_
#define STATOR_STORAGE_ROCKSDB_WAITLESS_FILES_H_

#include <memory>
#include <string>

namespace rocksdb {
class Env;
class FileSystem;
}  // namespace rocksdb

namespace stator {

// Takes the rights of others to a file or directory away. Of no effect where there is none.
void MakePrivate(const std::string& path);

// Both make every new file private, are the machine's otherwise, and live as long as the process.
const std::shared_ptr<rocksdb::FileSystem>& WaitlessFileSystem();
rocksdb::Env* WaitlessEnv();

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_WAITLESS_FILES_H_
