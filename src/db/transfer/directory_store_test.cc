#include "transfer/directory_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "transfer/object_name.h"
#include "transfer/testing/temporary_directory.h"

namespace stator::transfer {
namespace directory_store_test {

using Kind = TransferError::Kind;
namespace fs = std::filesystem;

class DirectoryStoreTest : public ::testing::Test {
 protected:
  fs::path root() const { return directory_.path() / "store"; }
  void Put(std::string_view key, std::string_view bytes = "x") {
    ASSERT_TRUE(PutObject(*store_, "bucket", key, bytes)) << key;
  }
  std::vector<std::string> Keys(std::string_view prefix) {
    std::vector<std::string> keys;
    const std::vector<ObjectInfo> objects = store_->List("bucket", prefix, 100).value();
    for (const ObjectInfo& object : objects) keys.push_back(object.key);
    return keys;
  }
  std::optional<Kind> OpenProblem(std::string_view bucket, std::string_view key) {
    const auto source = store_->Open(bucket, key);
    return source ? std::nullopt : std::optional(source.error().kind);
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<DirectoryStore> store_ =
      DirectoryStore::Open((directory_.path() / "store").string()).value();
};

TEST_F(DirectoryStoreTest, AnObjectIsAFileBelowItsBucket) {
  Put("a/b.json", "hello");
  EXPECT_EQ(fs::file_size(root() / "bucket" / "a" / "b.json"), 5U);
  EXPECT_EQ(GetObject(*store_, "bucket", "a/b.json", 100), "hello");
  EXPECT_TRUE(store_->HasBucket("bucket"));
  EXPECT_FALSE(store_->HasBucket("other"));
}

TEST_F(DirectoryStoreTest, AnObjectIsInvisibleUntilItIsCommitted) {
  auto writer = store_->Create("bucket", "a").value();
  ASSERT_TRUE(writer->Write("half"));
  EXPECT_TRUE(Keys("").empty());
  EXPECT_EQ(OpenProblem("bucket", "a"), Kind::kNotFound);
  writer.reset();
  EXPECT_TRUE(fs::is_empty(root() / "bucket"));
}

TEST_F(DirectoryStoreTest, AnObjectReplacesOneOfTheSameKey) {
  Put("a", "old");
  Put("a", "new");
  EXPECT_EQ(GetObject(*store_, "bucket", "a", 100), "new");
}

TEST_F(DirectoryStoreTest, AListIsOrderedByKeyAndAPrefixNeedNotBeAFolder) {
  Put("data/b");
  Put("data/a.");
  Put("data/a-");
  Put("data/a/z");
  Put("database");
  Put("other");
  EXPECT_EQ(Keys("data"),
            (std::vector<std::string>{"data/a-", "data/a.", "data/a/z", "data/b", "database"}));
  EXPECT_EQ(Keys("data/"), (std::vector<std::string>{"data/a-", "data/a.", "data/a/z", "data/b"}));
  EXPECT_EQ(Keys("data/a/"), std::vector<std::string>{"data/a/z"});
  EXPECT_EQ(Keys("none/at/all"), std::vector<std::string>());
  EXPECT_EQ(Keys("").size(), 6U);
}

TEST_F(DirectoryStoreTest, AListHasABound) {
  for (const char* key : {"a", "b", "c"}) Put(key);
  EXPECT_TRUE(store_->List("bucket", "", 3));
  EXPECT_EQ(store_->List("bucket", "", 2).error().kind, Kind::kTooMany);
  EXPECT_TRUE(store_->List("bucket", "a", 1));
  EXPECT_EQ(store_->List("missing", "", 2).error().kind, Kind::kNotFound);
}

TEST_F(DirectoryStoreTest, NamesThatLeadElsewhereAreRefused) {
  std::ofstream(directory_.path() / "secret") << "secret";
  for (const std::string_view key :
       {std::string_view("../secret"), std::string_view("a/../../secret"), std::string_view(".."),
        std::string_view("."), std::string_view(""), std::string_view("/etc/passwd"),
        std::string_view("a//b"), std::string_view("a/"), std::string_view("a\0b", 3),
        std::string_view(".stator-upload-1")}) {
    EXPECT_EQ(OpenProblem("bucket", key), Kind::kBadName) << key;
    EXPECT_FALSE(store_->Create("bucket", key)) << key;
  }
  EXPECT_FALSE(store_->Create("bucket", std::string(300, 'x')));
  EXPECT_FALSE(store_->Create("bucket", std::string(2000, 'x')));
  for (const std::string_view bucket :
       {std::string_view(".."), std::string_view("..."), std::string_view("a/b"),
        std::string_view("/tmp"), std::string_view(""), std::string_view("buc\0ket", 7)}) {
    EXPECT_EQ(OpenProblem(bucket, "secret"), Kind::kBadName) << bucket;
    EXPECT_FALSE(store_->List(bucket, "", 10));
  }
  EXPECT_FALSE(store_->List("bucket", "../", 10));
}

TEST_F(DirectoryStoreTest, NoLinkIsFollowed) {
  Put("inside");
  fs::create_directory(directory_.path() / "outside");
  std::ofstream(directory_.path() / "outside" / "secret") << "secret";
  fs::create_symlink(directory_.path() / "outside", root() / "bucket" / "folder");
  fs::create_symlink(directory_.path() / "outside" / "secret", root() / "bucket" / "file");
  fs::create_symlink(directory_.path() / "outside", root() / "linked-bucket");
  EXPECT_EQ(OpenProblem("bucket", "folder/secret"), Kind::kBadName);
  EXPECT_EQ(OpenProblem("bucket", "file"), Kind::kBadName);
  EXPECT_EQ(OpenProblem("linked-bucket", "secret"), Kind::kBadName);
  EXPECT_FALSE(store_->HasBucket("linked-bucket"));
  EXPECT_FALSE(store_->Create("bucket", "folder/new"));
  EXPECT_EQ(Keys(""), std::vector<std::string>{"inside"});
  // A link in an object's place is replaced, not written through.
  Put("file", "mine");
  EXPECT_EQ(fs::file_size(directory_.path() / "outside" / "secret"), 6U);
}

TEST_F(DirectoryStoreTest, APipeIsNoObject) {
  Put("a");
  ASSERT_EQ(::mkfifo((root() / "bucket" / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(OpenProblem("bucket", "pipe"), Kind::kNotFound);
  EXPECT_EQ(OpenProblem("bucket", "missing"), Kind::kNotFound);
  EXPECT_EQ(Keys(""), std::vector<std::string>{"a"});
}

TEST_F(DirectoryStoreTest, AWholeObjectHasABound) {
  Put("a", "12345");
  EXPECT_TRUE(GetObject(*store_, "bucket", "a", 5));
  EXPECT_FALSE(GetObject(*store_, "bucket", "a", 4));
}

TEST(ObjectName, APrefixAndAKeyAreJoinedByOneSlash) {
  EXPECT_EQ(JoinKey("", "a"), "a");
  EXPECT_EQ(JoinKey("p", "a"), "p/a");
  EXPECT_EQ(JoinKey("p/", "a"), "p/a");
}

}  // namespace directory_store_test
}  // namespace stator::transfer
