// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/world/temporary_folder.h"

namespace souk::world {

// A PostgreSQL server with an empty database, on a socket in a folder of its own; both end with it. As root it runs as
// another user, which PostgreSQL demands. Nothing it holds is kept, so it waits for the disk only when told to.
// Failures are thrown as std::runtime_error.
class PostgresServer {
 public:
  static bool is_installed();

  explicit PostgresServer(bool waits_for_disk = false);
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // libpq's string, for the superuser.
  const std::string& connection() const { return connection_; }
  void start();
  void kill();  // by SIGQUIT: connections break, and the next start recovers

 private:
  pid_t launch(const std::vector<std::string>& command);

  TemporaryFolder folder_;
  std::string connection_;
  bool waits_for_disk_;
  pid_t server_ = -1;
};

}  // namespace souk::world
