#include "base/error_code.h"

namespace strom {

std::string_view error_name(ErrorCode code) {
  switch (code) {
#define STROM_ERROR(name, number, text, retriable) \
  case ErrorCode::name:                            \
    return text;
#include "base/error_code.inc"
#undef STROM_ERROR
  }
  return "UNKNOWN";
}

bool is_retriable(ErrorCode code) {
  switch (code) {
#define STROM_ERROR(name, number, text, retriable) \
  case ErrorCode::name:                            \
    return retriable;
#include "base/error_code.inc"
#undef STROM_ERROR
  }
  return false;
}

}  // namespace strom
