#include "http/transport.h"

#include <curl/curl.h>
#include <openssl/err.h>
#include <openssl/x509.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "http/headers.h"

namespace stator::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr long kReadBufferBytes = 64 * 1024;
constexpr long kStatusOk = 200;  // lower ones are of interim responses
// How long one wait for the network may take; deadlines make it shorter.
constexpr milliseconds kWaitMax = std::chrono::seconds(1);

void InitializeCurl() {
  static const CURLcode status = curl_global_init(CURL_GLOBAL_DEFAULT);
  STATOR_CHECK(status == CURLE_OK);
}

// One connection at a time, with the handles of libcurl that keep it. Of one thread at a time.
class CurlConnection {
 public:
  explicit CurlConnection(const TransportOptions& options);

  std::expected<Response, TransportFailure> Exchange(const Request& request);
  // Between two exchanges: false if something has come, which can only be the end of the connection or
  // an answer to nothing.
  bool IsQuiet() const;

 private:
  void SetUp();
  void SetUpTls();
  template <class Value>
  void Set(CURLoption option, Value value) {
    STATOR_CHECK(curl_easy_setopt(easy_.get(), option, value) == CURLE_OK);
  }
  void Prepare(const Request& request);
  CURLcode Run();
  TransportFailure FailureOf(CURLcode code) const;
  std::string ReasonOf(CURLcode code) const;

  // Called by libcurl; fewer bytes taken than given are an error.
  std::size_t TakeHeadLine(std::string_view line);
  std::size_t TakeBody(std::string_view bytes);

  const TransportOptions& options_;
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy_;
  const std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)> multi_;
  std::vector<curl_slist> headers_;
  std::array<char, CURL_ERROR_SIZE> error_text_{};
  curl_socket_t socket_ = CURL_SOCKET_BAD;  // of the kept connection

  // Of the exchange under way.
  std::optional<steady_clock::time_point> deadline_;  // from the moment it is sent
  Response response_;
  std::size_t head_bytes_ = 0;
  bool has_whole_head_ = false;
  std::string_view excess_;  // the part of the response that was too large
};

CurlConnection::CurlConnection(const TransportOptions& options)
    : options_(options),
      easy_(curl_easy_init(), &curl_easy_cleanup),
      multi_(curl_multi_init(), &curl_multi_cleanup) {
  STATOR_CHECK(easy_ && multi_);
  curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, 1L);
  SetUp();
  if (options_.url.is_tls) SetUpTls();
}

void CurlConnection::SetUp() {
  Set(CURLOPT_NOSIGNAL, 1L);
  Set(CURLOPT_PROTOCOLS_STR, "http,https");
  Set(CURLOPT_FOLLOWLOCATION, 0L);
  Set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  Set(CURLOPT_TCP_NODELAY, 1L);
  Set(CURLOPT_BUFFERSIZE, kReadBufferBytes);
  Set(CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(std::max<milliseconds::rep>(options_.connect_timeout.count(), 1)));
  Set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(options_.limits.body_bytes));
  Set(CURLOPT_ERRORBUFFER, error_text_.data());
  // A proxy elsewhere cannot reach this machine's loopback addresses.
  if (options_.url.is_loopback) Set(CURLOPT_PROXY, "");
  Set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);

  Set(CURLOPT_HEADERDATA, this);
  Set(
      CURLOPT_HEADERFUNCTION, +[](char* bytes, std::size_t, std::size_t count, void* self) {
        return static_cast<CurlConnection*>(self)->TakeHeadLine({bytes, count});
      });
  Set(CURLOPT_WRITEDATA, this);
  Set(
      CURLOPT_WRITEFUNCTION, +[](char* bytes, std::size_t, std::size_t count, void* self) {
        return static_cast<CurlConnection*>(self)->TakeBody({bytes, count});
      });
  Set(CURLOPT_PREREQDATA, this);
  Set(
      CURLOPT_PREREQFUNCTION, +[](void* self, char*, char*, int, int) {
        auto& connection = *static_cast<CurlConnection*>(self);
        connection.deadline_ = steady_clock::now() + connection.options_.request_timeout;
        return CURL_PREREQFUNC_OK;
      });
}

void CurlConnection::SetUpTls() {
  Set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  Set(CURLOPT_SSL_VERIFYPEER, 1L);
  Set(CURLOPT_SSL_VERIFYHOST, 2L);
  if (!options_.ca_file.empty()) {
    Set(CURLOPT_CAINFO, options_.ca_file.c_str());
    return;
  }
  // OpenSSL's variables, which libcurl leaves to its callers.
  if (const char* file = std::getenv("SSL_CERT_FILE")) Set(CURLOPT_CAINFO, file);
  if (const char* folder = std::getenv("SSL_CERT_DIR")) Set(CURLOPT_CAPATH, folder);
}

std::expected<Response, TransportFailure> CurlConnection::Exchange(const Request& request) {
  Prepare(request);
  STATOR_CHECK(curl_multi_add_handle(multi_.get(), easy_.get()) == CURLM_OK);
  const CURLcode code = Run();
  socket_ = CURL_SOCKET_BAD;
  if (code == CURLE_OK) curl_easy_getinfo(easy_.get(), CURLINFO_ACTIVESOCKET, &socket_);
  // Closes the connection of a request that is not at its end.
  curl_multi_remove_handle(multi_.get(), easy_.get());
  if (code != CURLE_OK) return std::unexpected(FailureOf(code));
  long status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  // libcurl takes the end of the connection for the end of the head.
  if (!has_whole_head_ || status < kStatusOk) return std::unexpected(FailureOf(CURLE_PARTIAL_FILE));
  response_.status = static_cast<int>(status);
  return std::move(response_);
}

void CurlConnection::Prepare(const Request& request) {
  response_ = {};
  deadline_.reset();
  head_bytes_ = 0;
  has_whole_head_ = false;
  excess_ = {};
  error_text_[0] = '\0';

  const std::string url =
      (options_.url.is_tls ? "https://" : "http://") + options_.url.host_header + request.path;
  Set(CURLOPT_URL, url.c_str());
  if (request.method == Request::Method::kGet) {
    Set(CURLOPT_HTTPGET, 1L);
  } else {
    Set(CURLOPT_POST, 1L);
    Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    Set(CURLOPT_POSTFIELDS, request.body.empty() ? "" : request.body.data());
  }

  // A list of libcurl's shape over the strings that exist; it does not change them. A name alone
  // takes a header of libcurl's own away.
  static constexpr std::array<const char*, 2> kUnwanted = {"Accept:", "Expect:"};
  headers_.clear();
  for (const char* name : kUnwanted) headers_.push_back({const_cast<char*>(name), nullptr});
  for (const std::string& header : request.headers) {
    headers_.push_back({const_cast<char*>(header.c_str()), nullptr});
  }
  for (std::size_t i = 1; i < headers_.size(); ++i) headers_[i - 1].next = &headers_[i];
  Set(CURLOPT_HTTPHEADER, headers_.data());
}

bool CurlConnection::IsQuiet() const {
  // TLS has messages of its own, and proves whose they are.
  if (socket_ == CURL_SOCKET_BAD || options_.url.is_tls) return true;
  char byte = 0;
  return recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
}

CURLcode CurlConnection::Run() {
  for (;;) {
    int running = 0;
    if (curl_multi_perform(multi_.get(), &running) != CURLM_OK) return CURLE_FAILED_INIT;
    if (running == 0) {
      int left = 0;
      const CURLMsg* message = curl_multi_info_read(multi_.get(), &left);
      return message != nullptr ? message->data.result : CURLE_FAILED_INIT;
    }
    milliseconds wait = kWaitMax;
    if (deadline_) {
      wait = std::min(wait, std::chrono::ceil<milliseconds>(*deadline_ - steady_clock::now()));
      if (wait.count() <= 0) return CURLE_OPERATION_TIMEDOUT;
    }
    curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(wait.count()), nullptr);
  }
}

std::size_t CurlConnection::TakeHeadLine(std::string_view line) {
  head_bytes_ += line.size();
  if (head_bytes_ > options_.limits.head_bytes) {
    excess_ = "head";
    return 0;
  }
  // Each status line begins a head; those before the last are of interim responses.
  if (line.starts_with("HTTP/")) {
    response_.head.clear();
    has_whole_head_ = false;
  } else if (line == "\r\n" || line == "\n") {
    has_whole_head_ = true;
  } else {
    response_.head.append(line);
  }
  return line.size();
}

std::size_t CurlConnection::TakeBody(std::string_view bytes) {
  std::string& body = response_.body;
  if (bytes.size() > options_.limits.body_bytes - body.size()) {
    excess_ = "body";
    return 0;
  }
  if (body.empty()) {
    curl_off_t announced = -1;
    curl_easy_getinfo(easy_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
    // A mere header must not make us reserve megabytes.
    const auto wanted = static_cast<std::size_t>(std::clamp<curl_off_t>(announced, 0, 1 << 20));
    body.reserve(std::max(wanted, bytes.size()));
  }
  body.append(bytes);
  return bytes.size();
}

TransportFailure CurlConnection::FailureOf(CURLcode code) const {
  const bool is_lasting =
      code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE;
  const std::string_view what = deadline_ ? "no answer from " : "cannot connect to ";
  return {.message = std::string(what) + options_.url.host_header + ": " + ReasonOf(code),
          .is_retryable = !is_lasting};
}

std::string CurlConnection::ReasonOf(CURLcode code) const {
  const std::string_view excess = code == CURLE_FILESIZE_EXCEEDED ? "body" : excess_;
  if (!excess.empty()) return "the " + std::string(excess) + " of the answer is too large";
  const std::string text = error_text_[0] != '\0' ? error_text_.data() : curl_easy_strerror(code);
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return "it took too long";
    case CURLE_PEER_FAILED_VERIFICATION:
      return "its certificate is not trusted: " + text;
    case CURLE_GOT_NOTHING:
      return "the connection was closed";
    case CURLE_PARTIAL_FILE:
      return "the connection was closed in the middle of the answer";
    case CURLE_COULDNT_CONNECT: {
      long error = 0;
      curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &error);
      // Elsewhere a proxy may be what cannot be reached; libcurl's text names it.
      if (error == 0 || !options_.url.is_loopback) return text;
      return std::generic_category().message(static_cast<int>(error));
    }
    default:
      return text;
  }
}

// Lends a connection to each request. The one used last is lent next, so that those that are not
// needed grow old and are closed by the server.
class CurlTransport final : public Transport {
 public:
  explicit CurlTransport(TransportOptions options) : options_(std::move(options)) {}

  std::expected<Response, TransportFailure> Exchange(const Request& request) override {
    std::unique_ptr<CurlConnection> connection = Borrow();
    if (!connection) {
      return std::unexpected(TransportFailure{.message = "all connections were busy for too long"});
    }
    auto response = connection->Exchange(request);
    Return(std::move(connection));
    return response;
  }

 private:
  // Null if all were lent for too long.
  std::unique_ptr<CurlConnection> Borrow() {
    std::unique_lock lock(mutex_);
    const auto is_free = [this] { return lent_ < options_.max_connections; };
    if (!returned_.wait_for(lock, options_.request_timeout, is_free)) return nullptr;
    ++lent_;
    std::unique_ptr<CurlConnection> connection;
    if (!idle_.empty()) {
      connection = std::move(idle_.back());
      idle_.pop_back();
    }
    lock.unlock();
    if (!connection || !connection->IsQuiet()) {
      connection = std::make_unique<CurlConnection>(options_);
    }
    return connection;
  }

  void Return(std::unique_ptr<CurlConnection> connection) {
    {
      const std::scoped_lock lock(mutex_);
      idle_.push_back(std::move(connection));
      --lent_;
    }
    returned_.notify_one();
  }

  const TransportOptions options_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::size_t lent_ = 0;
  std::vector<std::unique_ptr<CurlConnection>> idle_;  // the one used last is at the end
};

bool HoldsCertificates(const std::string& file) {
  const std::unique_ptr<X509_STORE, decltype(&X509_STORE_free)> store(X509_STORE_new(),
                                                                      X509_STORE_free);
  const bool holds = store && X509_STORE_load_file(store.get(), file.c_str()) == 1;
  ERR_clear_error();
  return holds;
}

}  // namespace

std::optional<std::string_view> Response::Header(std::string_view name) const {
  std::string_view rest = head;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && SameHeaderName(line.substr(0, colon), name)) {
      return TrimBlanks(line.substr(colon + 1));
    }
    rest.remove_prefix(end + 1);
  }
  return std::nullopt;
}

std::expected<std::unique_ptr<Transport>, std::string> OpenTransport(TransportOptions options) {
  InitializeCurl();
  if (options.url.is_tls && !options.ca_file.empty() && !HoldsCertificates(options.ca_file)) {
    return std::unexpected("cannot read certificates from '" + options.ca_file + "'");
  }
  return std::make_unique<CurlTransport>(std::move(options));
}

}  // namespace stator::http
