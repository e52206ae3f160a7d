// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/indexer/fetch/test_certificate.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <stdexcept>

namespace souk::fetch {
namespace {

void check(bool good) {
  if (!good) throw std::runtime_error("no test certificate");
}

void add_extension(X509* certificate, int which, const char* value) {
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, nullptr, which, value);
  check(extension != nullptr && X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

std::string to_pem(X509* certificate) {
  const std::unique_ptr<BIO, int (*)(BIO*)> memory(BIO_new(BIO_s_mem()), &BIO_free);
  check(PEM_write_bio_X509(memory.get(), certificate) == 1);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &bytes);
  return {bytes, static_cast<size_t>(size)};
}

}  // namespace

TestCertificate make_test_certificate() {
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  const std::unique_ptr<X509, void (*)(X509*)> certificate(X509_new(), &X509_free);
  check(key != nullptr && certificate != nullptr);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* const name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  add_extension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  add_extension(certificate.get(), NID_subject_alt_name, "IP:127.0.0.1");
  check(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0);
  TestCertificate made;
  made.context.reset(SSL_CTX_new(TLS_server_method()));
  check(SSL_CTX_use_certificate(made.context.get(), certificate.get()) == 1);
  check(SSL_CTX_use_PrivateKey(made.context.get(), key.get()) == 1);
  made.pem = to_pem(certificate.get());
  return made;
}

}  // namespace souk::fetch
