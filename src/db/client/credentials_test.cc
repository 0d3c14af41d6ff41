#include "client/credentials.h"

#include <gtest/gtest.h>

#include <map>

namespace stator {
namespace credentials_test {

constexpr std::string_view kFile =
    "# a comment\n[default]\naws_access_key_id = A\naws_secret_access_key=B=\r\n"
    "[ work ]\naws_access_key_id=C\n\naws_secret_access_key=D\naws_session_token = E\nregion=x\n"
    "[half]\naws_access_key_id=F\n";

Environment With(std::map<std::string, std::string> variables,
                 std::map<std::string, std::string> files = {}) {
  return {.variable =
              [=](const char* name) {
                const auto found = variables.find(name);
                return found == variables.end() ? std::string() : found->second;
              },
          .file = [=](const std::string& path) -> std::optional<std::string> {
            const auto found = files.find(path);
            if (found == files.end()) return std::nullopt;
            return found->second;
          }};
}

TEST(Credentials, ProfilesAreRead) {
  EXPECT_EQ(ParseProfile(kFile, "default")->secret_access_key, "B=");
  EXPECT_EQ(ParseProfile(kFile, "work")->access_key_id, "C");
  EXPECT_EQ(ParseProfile(kFile, "work")->session_token, "E");
  EXPECT_FALSE(ParseProfile(kFile, "half"));
  EXPECT_FALSE(ParseProfile(kFile, "none"));
  EXPECT_FALSE(ParseProfile("", "default"));
  EXPECT_FALSE(ParseProfile("[", ""));
}

TEST(Credentials, TheNearestOnesCount) {
  const auto variables = std::map<std::string, std::string>{
      {"HOME", "/h"}, {"AWS_ACCESS_KEY_ID", "V"}, {"AWS_SECRET_ACCESS_KEY", "W"}};
  const auto files =
      std::map<std::string, std::string>{{"/h/.aws/credentials", std::string(kFile)}};
  const auto key = [](const ClientOptions& options, const Environment& environment) {
    const auto found = FindCredentials(options, true, environment);
    return found ? found->access_key_id : "error";
  };
  EXPECT_EQ(key({.credentials = {"X", "Y", ""}, .profile = "work"}, With(variables, files)), "X");
  EXPECT_EQ(key({.profile = "work"}, With(variables, files)), "C");
  EXPECT_EQ(key({.profile = "none"}, With(variables, files)), "error");
  EXPECT_EQ(key({}, With(variables, files)), "V");
  EXPECT_EQ(key({}, With({{"HOME", "/h"}}, files)), "A");
  EXPECT_EQ(key({}, With({{"HOME", "/h"}, {"AWS_PROFILE", "work"}}, files)), "C");
  EXPECT_EQ(key({}, With({})), "local");
}

TEST(Credentials, OnlyALoopbackEndpointGetsOnesThatProveNothing) {
  EXPECT_FALSE(FindCredentials({}, false, With({})));
}

TEST(Credentials, AreRefusedIfTheyWouldEndAHeader) {
  EXPECT_FALSE(FindCredentials({.credentials = {"X\r\nA: b", "Y", ""}}, true, With({})));
  EXPECT_FALSE(FindCredentials({.credentials = {"X", "Y", "a\nb"}}, true, With({})));
  EXPECT_FALSE(FindCredentials({.credentials = {"X", "", ""}}, true, With({})));
}

TEST(Region, IsTheNearestOne) {
  const Environment none = With({});
  EXPECT_EQ(
      FindRegion({.endpoint = "https://dynamodb.eu-west-1.amazonaws.com", .region = "r"}, none),
      "r");
  EXPECT_EQ(FindRegion({.endpoint = "https://dynamodb.eu-west-1.amazonaws.com"}, none),
            "eu-west-1");
  EXPECT_EQ(FindRegion({}, With({{"AWS_REGION", "v"}})), "v");
  EXPECT_EQ(FindRegion({}, With({{"AWS_DEFAULT_REGION", "w"}})), "w");
  EXPECT_EQ(FindRegion({.endpoint = "http://127.0.0.1"}, none), "us-east-1");
  EXPECT_EQ(FindRegion({}, none), "");
}

}  // namespace credentials_test
}  // namespace stator
