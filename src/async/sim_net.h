// SimFabric: the network between simulated machines: ordered byte streams with delays of the seed's choice.
// Machines have their name as address; "localhost" is the machine itself. Faults: cut links, which lose what
// is on the way and break the connections that use them.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "async/net.h"

namespace strom::async {

class SimWorld;
class SimListener;
struct SimPipe;

class SimFabric {
 public:
  explicit SimFabric(SimWorld& world) : world_(world) {}

  // The network as one process sees it: all calls fail once `*crashed`.
  std::unique_ptr<Network> network_of(const std::string& machine, std::shared_ptr<bool> crashed);

  // Breaks all connections between the two machines, and refuses new ones until heal().
  void cut(const std::string& a, const std::string& b);
  void heal(const std::string& a, const std::string& b);
  // Breaks all connections of a machine and forgets its listeners.
  void cut_machine(const std::string& machine);

 private:
  friend class SimNetwork;
  friend class SimListener;
  friend class SimConnection;

  bool is_cut(const std::string& a, const std::string& b) const;
  Duration delay();
  void break_pipes(const std::string& a, const std::string& b, bool all_of_a);

  SimWorld& world_;
  std::map<Address, SimListener*> listeners_;
  std::set<std::pair<std::string, std::string>> cuts_;
  std::vector<std::weak_ptr<SimPipe>> pipes_;
  int next_port_ = 20000;
};

}  // namespace strom::async
