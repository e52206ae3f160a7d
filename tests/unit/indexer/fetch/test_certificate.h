// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>

namespace souk::fetch {

struct FreeTls {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};

// A server's side of TLS with a new self-signed certificate for 127.0.0.1.
struct TestCertificate {
  std::unique_ptr<SSL_CTX, FreeTls> context;
  std::string pem;  // for who shall trust it
};
TestCertificate make_test_certificate();

}  // namespace souk::fetch
