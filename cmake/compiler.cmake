# Language level, warnings, sanitizers and caches, for every target.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# GCC 12 destroys temporaries of coroutine calls twice (aggregates passed by value, inline lambdas with captures in
# `co_await f(...)`), which corrupts memory at run time without a word at compile time.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  message(FATAL_ERROR
    "Strom is built with clang 19 or newer; found ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. GCC 12 miscompiles "
    "coroutines: it destroys temporaries of awaited calls twice. Use ./dev build, or pass -DCMAKE_CXX_COMPILER=clang++-19.")
endif()

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)

find_program(STROM_CCACHE ccache)
if(STROM_CCACHE)
  # A clone in another folder hits the same cache: paths are taken relative to the source directory, and the working
  # directory is not part of the hash (debug information gets relative paths by -ffile-prefix-map).
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${STROM_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

add_compile_options(-Wall -Wextra -Werror -Wno-missing-field-initializers -Wno-gnu-statement-expression
                    -fno-omit-frame-pointer -ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -msse4.2)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_options(-gline-tables-only)
endif()
add_link_options(-fuse-ld=mold)

set(STROM_SANITIZE "" CACHE STRING "address;undefined, thread, or nothing")
if(STROM_SANITIZE)
  string(REPLACE ";" "," _sanitizers "${STROM_SANITIZE}")
  add_compile_options(-fsanitize=${_sanitizers} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${_sanitizers})
endif()
