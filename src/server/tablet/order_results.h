// The outcome of an order of the coordinator, bucket by bucket. Pure.
#pragma once

#include <map>

#include "replica/replica_set.h"
#include "server/convert/names.h"

namespace strom::server {

using BucketErrorMap = std::map<model::TableBucket, Error>;

// `entries` is the repeated field of the answer. A bucket that is not in `errors` succeeded.
template <class Entries>
void write_results(const std::vector<model::TableBucket>& buckets, const BucketErrorMap& errors,
                   Entries& entries) {
  for (const model::TableBucket& bucket : buckets) {
    auto* entry = entries.Add();
    write(bucket, *entry->mutable_table_bucket());
    auto found = errors.find(bucket);
    if (found == errors.end()) continue;
    entry->set_error_code(static_cast<int32_t>(found->second.code));
    entry->set_error_message(found->second.message);
  }
}

inline BucketErrorMap merge(std::vector<replica::BucketErrors> lists) {
  BucketErrorMap errors;
  for (auto& list : lists) {
    for (auto& [bucket, error] : list) errors.emplace(bucket, std::move(error));
  }
  return errors;
}

}  // namespace strom::server
