// A self-signed certificate for the servers of tests.
#ifndef STATOR_HTTP_TESTING_CERTIFICATE_H_
#define STATOR_HTTP_TESTING_CERTIFICATE_H_

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <string>

namespace stator::http {

struct Certificate {
  std::shared_ptr<EVP_PKEY> key;
  std::shared_ptr<X509> x509;
};

// `names` are subject names as OpenSSL writes them: "DNS:localhost", "IP:127.0.0.1".
inline Certificate MakeCertificate(const std::string& names) {
  Certificate made{.key = {EVP_EC_gen("P-256"), EVP_PKEY_free}, .x509 = {X509_new(), X509_free}};
  X509* x509 = made.x509.get();
  X509_set_version(x509, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
  X509_gmtime_adj(X509_getm_notBefore(x509), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x509), 3600);
  X509_set_pubkey(x509, made.key.get());
  X509_NAME* name = X509_get_subject_name(x509);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
  X509_set_issuer_name(x509, name);
  X509_EXTENSION* extension =
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
  X509_add_ext(x509, extension, -1);
  X509_EXTENSION_free(extension);
  X509_sign(x509, made.key.get(), EVP_sha256());
  return made;
}

inline void WritePem(const Certificate& certificate, const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  PEM_write_X509(file, certificate.x509.get());
  std::fclose(file);
}

}  // namespace stator::http

#endif  // STATOR_HTTP_TESTING_CERTIFICATE_H_
