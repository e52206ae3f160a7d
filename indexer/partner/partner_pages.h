// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "indexer/partner/calls.h"
#include "indexer/partner/language.h"
#include "indexer/partner/sessions.h"
#include "indexer/partner/sign_in.h"
#include "runtime/net/http.h"

namespace souk::partner {

// The same for a shop's manager, in a browser:
//   GET  /, /report, /report/N, /style.css
//   POST /login, /logout, /reread, /check      forms of these pages only
class PartnerPages {
 public:
  PartnerPages(Calls& calls, Sessions& sessions, SignIn& sign_in);

  boost::asio::awaitable<net::Response> handle(net::Request request);

 private:
  struct Visit {  // what a request says of who asks
    Language language = Language::kRussian;
    std::string shop;  // empty = not signed in
    std::string session;
  };
  Visit visit_of(const net::Request& request) const;
  boost::asio::awaitable<net::Response> serve(Visit visit, net::Request request);
  boost::asio::awaitable<net::Response> post(Visit visit, net::Request request);
  boost::asio::awaitable<net::Response> on_login(Visit visit, net::Request request);
  net::Response on_logout(const Visit& visit);
  boost::asio::awaitable<net::Response> on_report(Visit visit, uint64_t number, std::string note);
  boost::asio::awaitable<net::Response> on_reread(Visit visit);
  boost::asio::awaitable<net::Response> on_check(Visit visit, std::string body);

  Calls& calls_;
  Sessions& sessions_;
  SignIn& sign_in_;
};

}  // namespace souk::partner
