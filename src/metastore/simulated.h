// SimMetastore: the metadata store of the simulator. SimMetastoreService is the service that outlives every
// process; a SimMetastore is one session with it, whose calls take time. What was committed survives all
// crashes of its clients.
#pragma once

#include "async/sim.h"
#include "metastore/metastore.h"
#include "metastore/tree.h"

namespace strom::metastore {

class SimMetastoreService {
 public:
  explicit SimMetastoreService(async::SimWorld& world) : world_(world), tree_(std::make_shared<Tree>()) {}

  // A session of the process that runs on `loop`.
  std::unique_ptr<Metastore> connect(async::EventLoop& loop);
  // Ends all sessions as their time-out would: ephemeral nodes go, the clients that live are told.
  void expire_sessions();

  Tree& tree() { return *tree_; }

 private:
  friend class SimMetastore;
  async::SimWorld& world_;
  std::shared_ptr<Tree> tree_;
  SessionId last_session_ = kNoSession;
  std::map<SessionId, std::function<void()>> sessions_;
};

}  // namespace strom::metastore
