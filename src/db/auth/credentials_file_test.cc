#include "auth/credentials_file.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace stator {
namespace credentials_file_test {

constexpr std::string_view kFile =
    "# clients\n[default]\naws_access_key_id = A\naws_secret_access_key=B=/+\r\n\n"
    "; another\n[ work ]\n aws_access_key_id=C\naws_secret_access_key=D\n"
    "aws_session_token = E\nregion=x\n";

std::string MistakeIn(std::string_view text) {
  const auto all = AllCredentials(text);
  return all ? "" : all.error();
}

TEST(CredentialsFile, EveryProfileCounts) {
  const auto all = AllCredentials(kFile);
  ASSERT_TRUE(all) << all.error();
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ(all->at(0).access_key_id, "A");
  EXPECT_EQ(all->at(0).secret_access_key, "B=/+");
  EXPECT_EQ(all->at(0).session_token, "");
  EXPECT_EQ(all->at(1).access_key_id, "C");
  EXPECT_EQ(all->at(1).secret_access_key, "D");
  EXPECT_EQ(all->at(1).session_token, "E");
}

TEST(CredentialsFile, ProfilesKeepTheirNamesAndLines) {
  const CredentialsFile file = ParseCredentialsFile(kFile);
  ASSERT_EQ(file.profiles.size(), 2U);
  EXPECT_EQ(file.profiles[1].name, "work");
  EXPECT_EQ(file.profiles[1].line, 7U);
  EXPECT_EQ(file.first_odd_line, 0U);
}

TEST(CredentialsFile, MistakesNameTheirLine) {
  const std::string key = "aws_access_key_id=A\n";
  const std::string secret = "aws_secret_access_key=S\n";
  EXPECT_EQ(MistakeIn("\naws_access_key_id=A\n"),
            "line 2: expected [PROFILE], or NAME = VALUE in a profile");
  EXPECT_EQ(MistakeIn("[a]\n" + key + secret + "word\n"),
            "line 4: expected [PROFILE], or NAME = VALUE in a profile");
  EXPECT_EQ(MistakeIn("[a\n"), "line 1: expected [PROFILE], or NAME = VALUE in a profile");
  EXPECT_EQ(MistakeIn("\n[a]\n" + key), "line 2: the profile 'a' has no aws_secret_access_key");
  EXPECT_EQ(MistakeIn("[a]\n" + secret), "line 1: the profile 'a' has no aws_access_key_id");
  EXPECT_EQ(MistakeIn("[a]\naws_access_key_id=A/B\n" + secret),
            "line 1: the profile 'a' has an aws_access_key_id that no client can use");
  EXPECT_EQ(MistakeIn("[a]\n" + key + secret + "aws_session_token=a b\n"),
            "line 1: the profile 'a' has an aws_session_token that no client can use");
  EXPECT_EQ(MistakeIn("[a]\n" + key + secret + "[b]\n" + key + secret),
            "line 4: the profile 'b' has the access key of the one in line 1");
}

TEST(CredentialsFile, NoneAreAMistakeToo) {
  for (const std::string_view text : {"", "\n\n", "# [default]\n"}) {
    EXPECT_TRUE(MistakeIn(text).starts_with("there are no credentials in it; write [default]"));
  }
}

TEST(CredentialsFile, AnyTextIsCredentialsOrAMistake) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const auto all = AllCredentials(text);
    RC_ASSERT((all ? !all->empty() : !all.error().empty()));
  }));
}

class CredentialsOnDisk : public ::testing::Test {
 protected:
  CredentialsOnDisk() {
    char name[] = "/tmp/stator_credentials_XXXXXX";
    close(mkstemp(name));
    path_ = name;
  }
  ~CredentialsOnDisk() override { unlink(path_.c_str()); }
  void Write(std::string_view text) { std::ofstream(path_, std::ios::binary) << text; }
  // What is logged while it loads.
  std::string LogOfLoading() {
    testing::internal::CaptureStderr();
    const auto all = LoadCredentials(path_);
    EXPECT_TRUE(all);
    return testing::internal::GetCapturedStderr();
  }

  std::string path_;
};

TEST_F(CredentialsOnDisk, ErrorsNameTheFile) {
  Write("[a]\n");
  EXPECT_EQ(LoadCredentials(path_).error(),
            path_ + ": line 1: the profile 'a' has no aws_access_key_id");
  Write(std::string(kCredentialsFileBytesMax + 1, '\n'));
  EXPECT_EQ(LoadCredentials(path_).error(),
            path_ + ": a credentials file has at most 1048576 bytes");
  EXPECT_EQ(LoadCredentials("/nowhere/keys").error(),
            "cannot read the credentials file /nowhere/keys");
  EXPECT_EQ(LoadCredentials("/tmp").error(), "cannot read the credentials file /tmp");
}

TEST_F(CredentialsOnDisk, AFileThatEveryoneCanReadIsReported) {
  Write(kFile);
  EXPECT_EQ(LogOfLoading(), "");
  chmod(path_.c_str(), 0644);
  EXPECT_NE(LogOfLoading().find("chmod 600 helps"), std::string::npos);
}

}  // namespace credentials_file_test
}  // namespace stator
