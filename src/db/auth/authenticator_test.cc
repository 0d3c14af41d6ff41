#include "auth/authenticator.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <thread>

#include "base/clock.h"

namespace stator {
namespace authenticator_test {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::string_view kNow = "20150830T123600Z";
constexpr std::string_view kWrongSignature =
    "The request signature we calculated does not match the signature you provided. Check your AWS "
    "Secret Access Key and signing method. Consult the service documentation for details.";
const SigningCredentials kLongTerm{.access_key_id = "AKIDEXAMPLE",
                                   .secret_access_key = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"};
const SigningCredentials kTemporary{
    .access_key_id = "ASIAEXAMPLE", .secret_access_key = "other", .session_token = "token"};

// A request on its way; a test that changes it after it was signed has tampered with it.
struct SentRequest {
  struct Header {
    std::string name;
    std::string value;
  };
  std::string query;
  std::vector<Header> headers;  // ascending, in lower case
  std::string body = "{}";

  std::string& operator[](std::string_view name) {
    return std::ranges::find(headers, name, &Header::name)->value;
  }
  SignedRequest View(std::vector<http::HeaderField>& fields) const {
    for (const Header& header : headers) fields.push_back({header.name, header.value});
    return {.method = "POST", .path = "/", .query = query, .headers = fields, .body = body};
  }
};

// How a request is signed.
struct Signing {
  SigningCredentials credentials = kLongTerm;
  std::string date{kNow};
  std::string region = "us-east-1";
  std::string service = "dynamodb";
  std::vector<SentRequest::Header> more = {};
};

std::string SignedNames(const std::vector<SentRequest::Header>& headers) {
  std::string names;
  for (const auto& header : headers) names += (names.empty() ? "" : ";") + header.name;
  return names;
}

SentRequest WithHeader(const Signing& options = {}) {
  SentRequest request;
  request.headers = {{"host", "localhost:8000"},
                     {"x-amz-date", options.date},
                     {"x-amz-target", "DynamoDB_20120810.GetItem"}};
  request.headers.insert(request.headers.end(), options.more.begin(), options.more.end());
  if (!options.credentials.session_token.empty()) {
    request.headers.push_back({"x-amz-security-token", options.credentials.session_token});
  }
  std::ranges::sort(request.headers, {}, &SentRequest::Header::name);
  std::vector<http::HeaderField> fields;
  RequestSigner signer(options.credentials, options.region, options.service);
  request.headers.push_back(
      {"Authorization", signer.Authorization(request.View(fields), options.date)});
  return request;
}

// A presigned request; `more` is further parameters.
SentRequest WithQuery(const std::string& more = "", const Signing& options = {}) {
  SentRequest request;
  request.headers = {{"host", "localhost:8000"}};
  const std::string date = options.date.substr(0, 8);
  request.query =
      "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + options.credentials.access_key_id +
      "%2F" + date + "%2F" + options.region + "%2F" + options.service +
      "%2Faws4_request&X-Amz-Date=" + options.date +
      "&X-Amz-SignedHeaders=" + SignedNames(request.headers) + more;
  SentRequest canonical = request;
  canonical.query = CanonicalQuery(request.query, "");
  std::vector<http::HeaderField> fields;
  ScopedKey key{.scope = {.date = "", .region = options.region, .service = options.service}};
  key.MoveTo(date, options.credentials.secret_access_key);
  request.query += "&X-Amz-Signature=" + Signature(canonical.View(fields), key, options.date);
  return request;
}

class VerifySignatureTest : public ::testing::Test {
 protected:
  // "OK", or "Name: message".
  std::string Verdict(const SentRequest& request) const {
    std::vector<http::HeaderField> fields;
    const Result<void> result = verify_.Check(request.View(fields));
    if (result) return "OK";
    return std::string(result.error().name()) + ": " + result.error().message();
  }
  void ExpectWrong(const SentRequest& request) const {
    EXPECT_EQ(Verdict(request), "InvalidSignatureException: " + std::string(kWrongSignature));
  }

  ManualClock clock_{TimeMs(*ParseAmzDate(kNow))};
  VerifySignature verify_{{kLongTerm, kTemporary}, {.region = "us-east-1"}, clock_};
};

TEST_F(VerifySignatureTest, ARightSignatureIsAccepted) {
  EXPECT_EQ(Verdict(WithHeader()), "OK");
  EXPECT_EQ(Verdict(WithHeader({.credentials = kTemporary})), "OK");
  EXPECT_EQ(Verdict(WithHeader({.more = {{"user-agent", "a  b\tc"}}})),
            "InvalidSignatureException: " + std::string(kWrongSignature))
      << "the sender must squeeze blanks too";
}

TEST_F(VerifySignatureTest, APresignedRequestIsAccepted) {
  EXPECT_EQ(Verdict(WithQuery()), "OK");
  EXPECT_EQ(Verdict(WithQuery("&a=b%20c&A&X-Amz-Expires=60")), "OK");
  EXPECT_EQ(Verdict(WithQuery("&X-Amz-Security-Token=token", {.credentials = kTemporary})), "OK");
}

TEST_F(VerifySignatureTest, HttpsOwnDateCountsIfThereIsNoOther) {
  SentRequest request;
  request.headers = {{"date", "Sun, 30 Aug 2015 12:36:00 GMT"}, {"host", "localhost:8000"}};
  std::vector<http::HeaderField> fields;
  RequestSigner signer(kLongTerm, "us-east-1", "dynamodb");
  request.headers.push_back({"Authorization", signer.Authorization(request.View(fields), kNow)});
  EXPECT_EQ(Verdict(request), "OK");
}

TEST_F(VerifySignatureTest, WhatWasSignedCannotBeChanged) {
  SentRequest body = WithHeader();
  body.body = "{ }";
  ExpectWrong(body);
  SentRequest target = WithHeader();
  target["x-amz-target"] = "DynamoDB_20120810.DeleteItem";
  ExpectWrong(target);
  SentRequest query = WithHeader();
  query.query = "a=b";
  ExpectWrong(query);
  SentRequest gone = WithHeader();
  std::erase_if(gone.headers, [](const auto& header) { return header.name == "x-amz-target"; });
  ExpectWrong(gone);
  SentRequest twice = WithHeader();
  twice.headers.push_back({"X-Amz-Target", "DynamoDB_20120810.DeleteItem"});
  ExpectWrong(twice);
  SentRequest later = WithHeader();
  later["x-amz-date"] = "20150830T123601Z";
  ExpectWrong(later);
  SentRequest presigned = WithQuery("&X-Amz-Expires=60");
  presigned.query.replace(presigned.query.find("=60"), 3, "=61");
  ExpectWrong(presigned);
  SentRequest presigned_body = WithQuery();
  presigned_body.body = "";
  ExpectWrong(presigned_body);
}

TEST_F(VerifySignatureTest, AnotherSecretOrSignatureIsWrong) {
  ExpectWrong(WithHeader(
      {.credentials = {.access_key_id = kLongTerm.access_key_id, .secret_access_key = "guess"}}));
  SentRequest request = WithHeader();
  request["Authorization"].back() = request["Authorization"].back() == '0' ? '1' : '0';
  ExpectWrong(request);
  request["Authorization"].pop_back();
  ExpectWrong(request);
}

TEST_F(VerifySignatureTest, ASignedHashMustBeTheBodys) {
  const auto hashed = [](std::string_view of) {
    return WithHeader({.more = {{"x-amz-content-sha256", std::string(of)}}});
  };
  EXPECT_EQ(Verdict(hashed(Hex(Sha256("{}")))), "OK");
  ExpectWrong(hashed(Hex(Sha256("[]"))));
  ExpectWrong(hashed("UNSIGNED-PAYLOAD"));
  SentRequest beside = WithHeader();
  beside.headers.push_back({"X-Amz-Content-SHA256", "UNSIGNED-PAYLOAD"});
  EXPECT_EQ(Verdict(beside), "OK") << "nobody relies on it";
}

TEST_F(VerifySignatureTest, NoPartMayBeMissing) {
  EXPECT_EQ(Verdict({}),
            "MissingAuthenticationTokenException: Request is missing Authentication Token");
  SentRequest request = WithHeader();
  request["Authorization"] = "AWS4-HMAC-SHA256 Credential=a, Signature=b";
  EXPECT_EQ(Verdict(request),
            "IncompleteSignatureException: Authorization header requires 'SignedHeaders' "
            "parameter. Authorization=AWS4-HMAC-SHA256 Credential=a, Signature=b");
  SentRequest both = WithHeader();
  both.query = WithQuery().query;
  EXPECT_EQ(Verdict(both),
            "InvalidSignatureException: Found both 'X-Amz-Algorithm' as a query-string param and "
            "'Authorization' as HTTP header.");
}

TEST_F(VerifySignatureTest, TheDateMustBeOne) {
  SentRequest request = WithHeader();
  request["x-amz-date"] = "2015-08-30";
  EXPECT_EQ(Verdict(request),
            "IncompleteSignatureException: Date must be in ISO-8601 'basic format'. Got "
            "'2015-08-30'. See http://en.wikipedia.org/wiki/ISO_8601");
  EXPECT_EQ(Verdict(WithQuery("", {.date = "Sun, 30 Aug 2015 12:36:00 GMT"}))
                .substr(0, sizeof("IncompleteSignatureException: Date must be") - 1),
            "IncompleteSignatureException: Date must be");
}

TEST_F(VerifySignatureTest, ClocksMayDifferByFifteenMinutes) {
  EXPECT_EQ(Verdict(WithHeader({.date = "20150830T122100Z"})), "OK");
  EXPECT_EQ(Verdict(WithHeader({.date = "20150830T122059Z"})),
            "InvalidSignatureException: Signature expired: 20150830T122059Z is now earlier than "
            "20150830T122100Z (20150830T123600Z - 15 min.)");
  EXPECT_EQ(Verdict(WithHeader({.date = "20150830T125100Z"})), "OK");
  EXPECT_EQ(Verdict(WithHeader({.date = "20150830T125101Z"})),
            "InvalidSignatureException: Signature not yet current: 20150830T125101Z is still later "
            "than 20150830T125100Z (20150830T123600Z + 15 min.)");
}

TEST_F(VerifySignatureTest, APresignedRequestLivesAsLongAsItSays) {
  const SentRequest brief = WithQuery("&X-Amz-Expires=90");
  const SentRequest week = WithQuery("&X-Amz-Expires=604800");
  clock_.Advance(seconds(90));
  EXPECT_EQ(Verdict(brief), "OK");
  clock_.Advance(seconds(1));
  EXPECT_EQ(Verdict(brief),
            "InvalidSignatureException: Signature expired: 20150830T123600Z is now earlier than "
            "20150830T123601Z (20150830T123731Z - 90 sec.)");
  EXPECT_EQ(Verdict(WithQuery()), "OK");
  clock_.Advance(std::chrono::days(6));
  EXPECT_EQ(Verdict(week), "OK");
  EXPECT_EQ(Verdict(WithQuery()).substr(0, 44), "InvalidSignatureException: Signature expired");
  for (const std::string expires : {"", "0", "-1", "604801", "x", "60s", "99999999999999999999"}) {
    EXPECT_EQ(Verdict(WithQuery("&X-Amz-Expires=" + expires)),
              "IncompleteSignatureException: X-Amz-Expires must be a number of seconds from 1 to "
              "604800. Got '" +
                  expires + "'.");
  }
}

TEST_F(VerifySignatureTest, TheHostMustBeSigned) {
  SentRequest request = WithHeader();
  std::string& header = request["Authorization"];
  header.replace(header.find("=host;"), 6, "=");
  EXPECT_EQ(Verdict(request),
            "InvalidSignatureException: 'Host' must be a 'SignedHeader' in the AWS Authorization.");
}

TEST_F(VerifySignatureTest, OtherAlgorithmsAreNamed) {
  SentRequest request = WithHeader();
  request["Authorization"].replace(0, 16, "AWS4-ECDSA-P256");
  EXPECT_EQ(Verdict(request),
            "IncompleteSignatureException: Unsupported AWS 'algorithm': 'AWS4-ECDSA-P256' (only "
            "AWS4-HMAC-SHA256 for now). ");
}

TEST_F(VerifySignatureTest, ACredentialHasFiveElements) {
  SentRequest request = WithHeader();
  std::string& header = request["Authorization"];
  header.replace(header.find("/dynamodb"), 9, "");
  EXPECT_EQ(
      Verdict(request),
      "IncompleteSignatureException: Credential must have exactly 5 slash-delimited elements, "
      "e.g. keyid/date/region/service/term, got 'AKIDEXAMPLE/20150830/us-east-1/aws4_request'");
}

TEST_F(VerifySignatureTest, BytesAreQuotedAsCharacters) {
  SentRequest request = WithHeader();
  request["x-amz-date"] = "\xe4";
  EXPECT_TRUE(Verdict(request).find("Got '\u00e4'.") != std::string::npos) << Verdict(request);
}

TEST_F(VerifySignatureTest, TheScopeIsThisServersToday) {
  EXPECT_EQ(Verdict(WithHeader({.region = "eu-west-1"})),
            "InvalidSignatureException: Credential should be scoped to a valid region. ");
  EXPECT_EQ(Verdict(WithHeader({.service = "s3"})),
            "InvalidSignatureException: Credential should be scoped to correct service: "
            "'dynamodb'. ");
  SentRequest request = WithHeader({.region = "x", .service = "y"});
  std::string& header = request["Authorization"];
  header.replace(header.find("aws4_request"), 12, "z");
  header.replace(header.find("20150830"), 8, "20150829");
  EXPECT_EQ(Verdict(request),
            "InvalidSignatureException: Credential should be scoped to a valid region. Credential "
            "should be scoped to correct service: 'dynamodb'. Credential should be scoped with a "
            "valid terminator: 'aws4_request', not 'z'. Date in Credential scope does not match "
            "YYYYMMDD from ISO-8601 version of date from HTTP: '20150829' != '20150830', from "
            "'20150830T123600Z'.");
}

TEST_F(VerifySignatureTest, ClassicWordingNamesTheRegion) {
  const VerifySignature classic({kLongTerm}, {.region = "us-east-1", .wording = Wording::kClassic},
                                clock_);
  std::vector<http::HeaderField> fields;
  const SentRequest request = WithHeader({.region = "eu-west-1"});
  EXPECT_EQ(classic.Check(request.View(fields)).error().message(),
            "Credential should be scoped to a valid region, not 'eu-west-1'. ");
}

TEST_F(VerifySignatureTest, StrangersAreNotRecognized) {
  EXPECT_EQ(Verdict(WithHeader(
                {.credentials = {.access_key_id = "AKIDOTHER", .secret_access_key = "x"}})),
            "UnrecognizedClientException: The security token included in the request is invalid.");
}

TEST_F(VerifySignatureTest, SessionTokensBelongToTheirKeys) {
  const std::string stranger =
      "UnrecognizedClientException: The security token included in the request is invalid";
  SigningCredentials wrong = kTemporary;
  wrong.session_token = "guess";
  EXPECT_EQ(Verdict(WithHeader({.credentials = wrong})), stranger + ".");
  wrong.session_token = "";
  EXPECT_EQ(Verdict(WithHeader({.credentials = wrong})), stranger + ".");
  wrong = kLongTerm;
  wrong.session_token = "token";
  EXPECT_EQ(Verdict(WithHeader({.credentials = wrong})), stranger);
}

TEST_F(VerifySignatureTest, WhatIsWrongFirstIsToldFirst) {
  SentRequest request =
      WithHeader({.credentials = {.access_key_id = "AKIDOTHER", .secret_access_key = "x"},
                  .date = "20140830T123600Z",
                  .region = "x"});
  std::string& header = request["Authorization"];
  EXPECT_TRUE(Verdict(request).starts_with("InvalidSignatureException: Signature expired"));
  clock_.Set(TimeMs(*ParseAmzDate("20140830T123600Z")));
  EXPECT_TRUE(Verdict(request).starts_with("InvalidSignatureException: Credential should be"));
  header.replace(header.find("/aws4_request"), 13, "");
  EXPECT_TRUE(Verdict(request).starts_with("IncompleteSignatureException: Credential must have"));
  header.replace(0, 16, "AWS4-X");
  EXPECT_TRUE(Verdict(request).starts_with("IncompleteSignatureException: Unsupported AWS"));
  header.replace(header.find("=host;"), 6, "=");
  EXPECT_TRUE(Verdict(request).starts_with("InvalidSignatureException: 'Host' must be"));
  request["x-amz-date"] = "now";
  EXPECT_TRUE(Verdict(request).starts_with("IncompleteSignatureException: Date must be"));
}

TEST_F(VerifySignatureTest, ManyThreadsAcrossMidnight) {
  clock_.Set(TimeMs(*ParseAmzDate("20150831T000000Z")));
  const SentRequest before = WithHeader({.date = "20150830T235959Z"});
  const SentRequest after = WithHeader({.date = "20150831T000000Z"});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        EXPECT_EQ(Verdict(before), "OK");
        EXPECT_EQ(Verdict(after), "OK");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(VerifySignatureTest, NothingCanBePutIntoASignature) {
  EXPECT_TRUE(rc::check([this](const std::string& text, std::size_t at) {
    RC_PRE(!text.empty());
    SentRequest request = WithHeader();
    std::string& header = request["Authorization"];
    header.insert(header.size() - 1 - at % 63, text);
    RC_ASSERT(Verdict(request) != "OK");
    SentRequest presigned = WithQuery();
    presigned.query.insert(at % presigned.query.size(), "%" + text);
    RC_ASSERT(Verdict(presigned) != "OK");
  }));
}

// A header as it is, and one that the signature does not cover.
SentRequest WithUnsigned(std::string name, std::string value) {
  SentRequest request = WithHeader({.more = {}});
  request.headers.insert(request.headers.begin(), {std::move(name), std::move(value)});
  return request;
}

TEST_F(VerifySignatureTest, WhatDecidesMustBeSigned) {
  for (const std::string name : {"X-Amz-Target", "X-Amz-Date", "X-Amz-Security-Token"}) {
    Signing signing{.credentials = kTemporary};
    SentRequest request = WithHeader(signing);
    std::string& authorization = request["Authorization"];
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(), http::LowerAscii);
    const std::size_t at = authorization.find(";" + lower);
    ASSERT_NE(at, std::string::npos) << authorization;
    authorization.erase(at, lower.size() + 1);
    EXPECT_EQ(Verdict(request), "InvalidSignatureException: '" + name +
                                    "' must be a 'SignedHeader' in the AWS Authorization.");
  }
  EXPECT_EQ(Verdict(WithUnsigned("Content-Encoding", "gzip")),
            "InvalidSignatureException: 'Content-Encoding' must be a 'SignedHeader' in the AWS "
            "Authorization.");
  EXPECT_EQ(Verdict(WithUnsigned("User-Agent", "any")), "OK");
}

// Signed without its operation, a DescribeTable could be sent again as a DeleteTable.
TEST_F(VerifySignatureTest, APresignedRequestDoesNotLetItsSenderChooseTheOperation) {
  SentRequest request = WithQuery();
  EXPECT_EQ(Verdict(request), "OK");
  request.headers.push_back({"x-amz-target", "DynamoDB_20120810.DeleteTable"});
  EXPECT_EQ(Verdict(request),
            "InvalidSignatureException: 'X-Amz-Target' must be a 'SignedHeader' in the AWS "
            "Authorization.");
}

TEST_F(VerifySignatureTest, TheHeadAloneTellsStrangersApart) {
  const auto verdict = [&](const SentRequest& request) {
    std::vector<http::HeaderField> fields;
    SignedRequest view = request.View(fields);
    view.body = {};
    const Result<void> result = verify_.CheckHead(view);
    return result ? "OK" : std::string(result.error().name());
  };
  EXPECT_EQ(verdict(WithHeader()), "OK");
  EXPECT_EQ(verdict(WithHeader({.credentials = {.access_key_id = "A", .secret_access_key = "b"}})),
            "UnrecognizedClientException");
  EXPECT_EQ(verdict(WithHeader({.region = "eu-west-1"})), "InvalidSignatureException");
  // With the hash of the body the whole signature can be verified.
  const std::string hash = Hex(Sha256("{}"));
  Signing with_hash{.more = {{"x-amz-content-sha256", hash}}};
  EXPECT_EQ(verdict(WithHeader(with_hash)), "OK");
  with_hash.credentials.secret_access_key = "guessed";
  EXPECT_EQ(verdict(WithHeader(with_hash)), "InvalidSignatureException");
}

}  // namespace authenticator_test
}  // namespace stator
