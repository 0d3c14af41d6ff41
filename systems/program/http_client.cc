// The client of http.h, on libcurl.
#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "systems/program/http.h"

namespace stator::systems {
namespace {

constexpr std::chrono::seconds kConnectTimeout(3);
constexpr std::size_t kHeadMax = 64 << 10;
constexpr std::size_t kRefusalMax = 200;
constexpr std::size_t kPostedAnswerMax = 64 << 10;
constexpr long kReadBufferBytes = 128 << 10;
// A sender that gives fewer bytes than these per second is silent.
constexpr long kSilentBytesPerSecond = 16;

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::optional<std::int64_t> Number(std::string_view text) {
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// A handle of libcurl, which keeps its connection, and the exchange under way on it.
class Exchange {
 public:
  Exchange() : easy_(NewHandle(), &curl_easy_cleanup) {}

  std::expected<HttpReply, HttpFailure> Run(const HttpCall& call, const HttpReceiver* receiver);

 private:
  static CURL* NewHandle() {
    [[maybe_unused]] static const CURLcode initialized = curl_global_init(CURL_GLOBAL_DEFAULT);
    return curl_easy_init();
  }
  template <class Value>
  void Set(CURLoption option, Value value) {
    if (curl_easy_setopt(easy_.get(), option, value) != CURLE_OK) is_set_up_ = false;
  }
  void SetUp(const HttpCall& call);
  void SetUpTrust(const HttpCall& call);
  void SetUpRequest(const HttpCall& call);
  bool AddHeader(const std::string& line);
  HttpFailure FailureOf(CURLcode code) const;
  std::string ReasonOf(CURLcode code) const;

  // Called by libcurl; fewer bytes taken than given end the transfer.
  std::size_t TakeHeadLine(std::string_view line);
  std::size_t TakeBody(std::string_view bytes);
  bool Begin();

  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy_;
  std::array<char, CURL_ERROR_SIZE> error_text_{};
  bool is_set_up_ = true;
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers_{nullptr,
                                                                       &curl_slist_free_all};

  // Of the exchange under way.
  const HttpCall* call_ = nullptr;
  const HttpReceiver* receiver_ = nullptr;  // none: the whole body goes into the reply
  HttpReply reply_;
  std::size_t head_bytes_ = 0;
  std::size_t body_bytes_ = 0;
  bool was_sent_ = false;
  bool has_head_ = false;   // of an answer that is not a redirect to follow
  bool has_begun_ = false;  // the receiver knows the head
  std::string stopped_;     // why we ended the transfer
};

std::expected<HttpReply, HttpFailure> Exchange::Run(const HttpCall& call,
                                                    const HttpReceiver* receiver) {
  if (std::string problem = UrlProblem(call.url); !problem.empty()) {
    return std::unexpected(HttpFailure{.message = std::move(problem), .is_lasting = true});
  }
  call_ = &call;
  receiver_ = receiver;
  reply_ = {};
  head_bytes_ = body_bytes_ = 0;
  was_sent_ = has_head_ = has_begun_ = false;
  stopped_.clear();
  error_text_[0] = '\0';
  is_set_up_ = easy_ != nullptr;
  if (easy_) SetUp(call);
  if (!is_set_up_) {
    return std::unexpected(
        HttpFailure{.message = "this libcurl cannot do what is asked of it", .is_lasting = true});
  }
  CURLcode code = curl_easy_perform(easy_.get());
  // libcurl takes the end of the connection for the end of the head.
  if (code == CURLE_OK && !has_head_) code = CURLE_PARTIAL_FILE;
  if (code == CURLE_OK && !Begin()) code = CURLE_WRITE_ERROR;
  if (code != CURLE_OK) return std::unexpected(FailureOf(code));
  return std::move(reply_);
}

void Exchange::SetUp(const HttpCall& call) {
  curl_easy_reset(easy_.get());
  Set(CURLOPT_NOSIGNAL, 1L);
  Set(CURLOPT_ERRORBUFFER, error_text_.data());
  Set(CURLOPT_BUFFERSIZE, kReadBufferBytes);
  Set(CURLOPT_TCP_NODELAY, 1L);
  Set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  Set(CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<std::int64_t>(call.timeout.count(), 1)));
  Set(CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(std::chrono::milliseconds(kConnectTimeout).count()));
  Set(CURLOPT_LOW_SPEED_LIMIT, call.silence_max.count() > 0 ? kSilentBytesPerSecond : 0L);
  Set(CURLOPT_LOW_SPEED_TIME,
      static_cast<long>(std::chrono::ceil<std::chrono::seconds>(call.silence_max).count()));
  // A proxy elsewhere cannot reach this machine's loopback addresses.
  if (IsThisMachine(HostOf(call.url))) Set(CURLOPT_PROXY, "");
  Set(CURLOPT_HEADERDATA, this);
  Set(
      CURLOPT_HEADERFUNCTION, +[](char* bytes, std::size_t, std::size_t count, void* self) {
        return static_cast<Exchange*>(self)->TakeHeadLine({bytes, count});
      });
  Set(CURLOPT_WRITEDATA, this);
  Set(
      CURLOPT_WRITEFUNCTION, +[](char* bytes, std::size_t, std::size_t count, void* self) {
        return static_cast<Exchange*>(self)->TakeBody({bytes, count});
      });
  Set(CURLOPT_PREREQDATA, this);
  Set(
      CURLOPT_PREREQFUNCTION, +[](void* self, char*, char*, int, int) {
        static_cast<Exchange*>(self)->was_sent_ = true;
        return CURL_PREREQFUNC_OK;
      });
  SetUpTrust(call);
  SetUpRequest(call);
}

void Exchange::SetUpTrust(const HttpCall& call) {
  Set(CURLOPT_PROTOCOLS_STR, "http,https");
  // What began in secret goes on in secret.
  Set(CURLOPT_REDIR_PROTOCOLS_STR, call.url.starts_with("https") ? "https" : "http");
  Set(CURLOPT_FOLLOWLOCATION, !call.body && call.redirects_max > 0 ? 1L : 0L);
  Set(CURLOPT_MAXREDIRS, static_cast<long>(call.redirects_max));
  Set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  Set(CURLOPT_SSL_VERIFYPEER, 1L);
  Set(CURLOPT_SSL_VERIFYHOST, 2L);
  if (!call.ca_file.empty()) {
    Set(CURLOPT_CAINFO, call.ca_file.c_str());
    // Nobody else is trusted then.
    Set(CURLOPT_CAPATH, nullptr);
    return;
  }
  // OpenSSL's variables, which libcurl leaves to its callers.
  if (const char* file = std::getenv("SSL_CERT_FILE")) Set(CURLOPT_CAINFO, file);
  if (const char* folder = std::getenv("SSL_CERT_DIR")) Set(CURLOPT_CAPATH, folder);
}

void Exchange::SetUpRequest(const HttpCall& call) {
  Set(CURLOPT_URL, call.url.c_str());
  Set(CURLOPT_PATH_AS_IS, 1L);
  if (call.body) {
    Set(CURLOPT_POST, 1L);
    Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call.body->size()));
    Set(CURLOPT_POSTFIELDS, call.body->c_str());
  } else {
    Set(CURLOPT_HTTPGET, 1L);
  }
  headers_.reset();
  // A name alone takes a header of libcurl's own away.
  is_set_up_ = is_set_up_ && AddHeader("Expect:");
  if (call.offset > 0)
    is_set_up_ = is_set_up_ && AddHeader(fmt::format("Range: bytes={}-", call.offset));
  for (const std::string& line : call.headers) is_set_up_ = is_set_up_ && AddHeader(line);
  Set(CURLOPT_HTTPHEADER, headers_.get());
}

bool Exchange::AddHeader(const std::string& line) {
  if (line.find_first_of("\r\n") != std::string::npos) return false;
  curl_slist* longer = curl_slist_append(headers_.get(), line.c_str());
  if (longer == nullptr) return false;
  std::ignore = headers_.release();
  headers_.reset(longer);
  return true;
}

std::size_t Exchange::TakeHeadLine(std::string_view line) {
  head_bytes_ += line.size();
  if (head_bytes_ > kHeadMax) {
    stopped_ = "the head of the answer is too large";
    return 0;
  }
  // Each status line begins a head; those before the last are of redirects and interim answers.
  if (line.starts_with("HTTP/")) {
    reply_ = {};
    has_head_ = false;
    return line.size();
  }
  if (Trimmed(line).empty()) {
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    reply_.status = static_cast<int>(status);
    has_head_ = status >= 200;
    return line.size();
  }
  if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
    reply_.headers.emplace(LowerCase(Trimmed(line.substr(0, colon))),
                           Trimmed(line.substr(colon + 1)));
  }
  return line.size();
}

bool Exchange::Begin() {
  if (receiver_ == nullptr || has_begun_) return true;
  has_begun_ = true;
  if (!receiver_->begin || receiver_->begin(reply_)) return true;
  stopped_ = "its answer was refused";
  return false;
}

std::size_t Exchange::TakeBody(std::string_view bytes) {
  if (!Begin()) return 0;
  body_bytes_ += bytes.size();
  if (body_bytes_ > call_->bytes_max) {
    stopped_ = fmt::format("the answer is longer than {} bytes", call_->bytes_max);
    return 0;
  }
  const bool is_content = reply_.status == 200 || reply_.status == 206;
  if (receiver_ == nullptr) {
    reply_.body += bytes;
  } else if (!is_content) {
    reply_.body += bytes.substr(0, kRefusalMax - std::min(kRefusalMax, reply_.body.size()));
  } else if (!receiver_->take(bytes)) {
    stopped_ = "its answer was refused";
    return 0;
  }
  return bytes.size();
}

HttpFailure Exchange::FailureOf(CURLcode code) const {
  const bool is_lasting = code == CURLE_PEER_FAILED_VERIFICATION ||
                          code == CURLE_SSL_CACERT_BADFILE || code == CURLE_UNSUPPORTED_PROTOCOL ||
                          code == CURLE_TOO_MANY_REDIRECTS;
  return {.message = fmt::format("{} {}: {}", call_->body ? "POST" : "GET", HostOf(call_->url),
                                 ReasonOf(code)),
          .may_have_arrived = was_sent_,
          .is_lasting = is_lasting};
}

std::string Exchange::ReasonOf(CURLcode code) const {
  if (!stopped_.empty()) return stopped_;
  const std::string text = error_text_[0] != '\0' ? error_text_.data() : curl_easy_strerror(code);
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return was_sent_ ? "it took too long to answer" : "it cannot be reached";
    case CURLE_PEER_FAILED_VERIFICATION:
      return "its certificate is not trusted: " + text;
    case CURLE_SSL_CACERT_BADFILE:
      return fmt::format("no certificates can be read from '{}'", call_->ca_file);
    case CURLE_GOT_NOTHING:
      return "the connection was closed before the answer";
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
      return "the connection was closed in the middle of the answer";
    case CURLE_UNSUPPORTED_PROTOCOL:
      return "it redirects to another scheme, which is not followed";
    case CURLE_TOO_MANY_REDIRECTS:
      return "it redirects too often";
    default:
      return text;
  }
}

}  // namespace

std::string HttpReply::Header(const std::string& name) const {
  const auto it = headers.find(name);
  return it == headers.end() ? std::string() : it->second;
}

std::optional<HttpRange> ContentRange(const HttpReply& reply) {
  const std::string text = reply.Header("content-range");
  constexpr std::string_view kUnit = "bytes ";
  const std::size_t dash = text.find('-');
  const std::size_t slash = text.find('/');
  if (!text.starts_with(kUnit) || dash == std::string::npos || slash == std::string::npos ||
      dash > slash) {
    return std::nullopt;
  }
  const std::string_view view(text);
  const auto first = Number(view.substr(kUnit.size(), dash - kUnit.size()));
  const auto last = Number(view.substr(dash + 1, slash - dash - 1));
  const std::string_view total = view.substr(slash + 1);
  if (!first || !last || *last < *first) return std::nullopt;
  if (total == "*") return HttpRange{*first, *last, std::nullopt};
  const auto number = Number(total);
  if (!number || *number <= *last) return std::nullopt;
  return HttpRange{*first, *last, number};
}

Fallible<HttpReply> HttpSend(const HttpCall& call) {
  auto reply = Exchange().Run(call, nullptr);
  if (!reply) return std::unexpected(std::move(reply).error().message);
  return *std::move(reply);
}

Fallible<std::string> HttpText(const HttpCall& call) {
  TRY(HttpReply reply, HttpSend(call));
  if (reply.status == 200) return std::move(reply.body);
  return std::unexpected(fmt::format("GET {}: {} {}", WithoutQuery(call.url), reply.status,
                                     reply.body.substr(0, kRefusalMax)));
}

std::expected<HttpReply, HttpFailure> HttpReceive(const HttpCall& call,
                                                  const HttpReceiver& receiver) {
  return Exchange().Run(call, &receiver);
}

struct HttpPoster::Impl {
  HttpCall call;
  Exchange exchange;
};

Fallible<std::unique_ptr<HttpPoster>> HttpPoster::Open(const std::string& url,
                                                       const std::string& ca_file) {
  if (std::string problem = UrlProblem(url); !problem.empty()) return std::unexpected(problem);
  auto impl = std::make_unique<Impl>();
  impl->call = {.url = url, .timeout = kTimeout, .bytes_max = kPostedAnswerMax, .ca_file = ca_file};
  return std::unique_ptr<HttpPoster>(new HttpPoster(std::move(impl)));
}

HttpPoster::HttpPoster(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpPoster::~HttpPoster() = default;

std::expected<HttpReply, HttpFailure> HttpPoster::Post(const std::string& body,
                                                       const std::string& idempotency_key) {
  impl_->call.body = body;
  impl_->call.headers = {"Content-Type: application/json", "Idempotency-Key: " + idempotency_key};
  return impl_->exchange.Run(impl_->call, nullptr);
}

}  // namespace stator::systems
