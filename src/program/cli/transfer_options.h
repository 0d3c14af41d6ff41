// What `stator backup`, `restore`, `export` and `import` are asked for.
#ifndef STATOR_CLI_TRANSFER_OPTIONS_H_
#define STATOR_CLI_TRANSFER_OPTIONS_H_

#include <string>
#include <vector>

namespace stator::cli {

// Either a running server or a directory that no server has open.
struct DataSource {
  std::string endpoint;
  std::string directory;
  std::string s3_root;  // of the directory's buckets; a server has its own
  // Those that the directory's ARNs have.
  std::string region = "us-east-1";
  std::string account = "000000000000";
  bool may_create = false;  // the directory
};

struct BackupCommand {
  DataSource source;
  std::string table;
  std::string name;        // empty: from the table's name and the time
  bool list = false;       // instead of making one
  std::string delete_arn;  // instead of making one
};

struct RestoreCommand {
  DataSource source;
  std::string from;  // a backup's ARN, or a table's name
  std::string table;
  std::string at;  // a time; empty: the latest
};

struct ExportCommand {
  DataSource source;
  std::string table;
  std::string url;  // s3://bucket/prefix
  std::string format = "json";
  std::string at;     // a time; empty: now
  std::string since;  // a time: what changed since then
  std::string until;
  bool new_images_only = false;
  bool enable_recovery = false;
};

struct ImportCommand {
  DataSource source{.may_create = true};
  std::string url;
  std::string table;
  std::string key;       // NAME:TYPE
  std::string sort_key;  // NAME:TYPE, or empty
  std::string format = "json";
  std::string compression = "none";
  std::string delimiter;
  std::vector<std::string> headers;
  bool into_existing = false;
};

}  // namespace stator::cli

#endif  // STATOR_CLI_TRANSFER_OPTIONS_H_
