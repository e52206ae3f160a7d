// SPDX-License-Identifier: Apache-2.0
#include "tests/world/postgres_server.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <pqxx/pqxx>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace souk::world {
namespace {

const std::filesystem::path kPrograms = "/usr/lib/postgresql/15/bin";
constexpr std::chrono::seconds kPatience{60};

// Whom the server runs as when we are root; null when we are not.
const passwd* other_user() {
  if (::geteuid() != 0) return nullptr;
  const passwd* user = ::getpwnam("postgres");
  if (user == nullptr) user = ::getpwnam("nobody");
  if (user == nullptr) throw std::runtime_error("there is no user to run PostgreSQL as");
  return user;
}

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

bool PostgresServer::is_installed() {
  return std::filesystem::exists(kPrograms / "postgres") && std::filesystem::exists(kPrograms / "initdb");
}

PostgresServer::PostgresServer(bool waits_for_disk)
    : connection_("host=" + folder_.path().string() + " user=souk dbname=postgres"), waits_for_disk_(waits_for_disk) {
  if (const passwd* user = other_user()) {
    if (::chown(folder_.path().c_str(), user->pw_uid, user->pw_gid) != 0) throw std::runtime_error("chown failed");
  }
  const pid_t initdb = launch({kPrograms / "initdb", "-D", folder_.path() / "data", "-U", "souk", "-A", "trust", "-E",
                               "UTF8", "--locale=C", "--no-sync", "--no-instructions"});
  if (wait_for(initdb) != 0) throw std::runtime_error("initdb failed: " + read(folder_.path() / "log"));
  start();
}

PostgresServer::~PostgresServer() {
  kill();
}

void PostgresServer::start() {
  server_ = launch({kPrograms / "postgres", "-D", folder_.path() / "data", "-k", folder_.path(), "-c",
                    "listen_addresses=", "-c", waits_for_disk_ ? "fsync=on" : "fsync=off", "-c", "max_connections=20"});
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    try {
      const pqxx::connection probe(connection_);
      return;
    } catch (const pqxx::failure& problem) {
      if (std::chrono::steady_clock::now() > deadline) {
        throw std::runtime_error(std::string("PostgreSQL does not start: ") + problem.what());
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void PostgresServer::kill() {
  if (server_ < 0) return;
  ::kill(server_, SIGQUIT);
  wait_for(std::exchange(server_, -1));
}

pid_t PostgresServer::launch(const std::vector<std::string>& command) {
  const passwd* user = other_user();
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const std::string log = folder_.path() / "log";
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error("fork failed");
  if (process > 0) return process;
  if (user != nullptr && (::setgroups(0, nullptr) != 0 || ::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0)) {
    ::_exit(126);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);  // a test that crashes leaves no server
  const int output = ::open(log.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  if (::chdir("/") != 0) ::_exit(125);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

}  // namespace souk::world
