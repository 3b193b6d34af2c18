# The version of a build. include/odonata/base.h has the number of the last release, and nothing else has it; this
# file adds the commit, unless the commit is tagged as that release.
#
#   cmake -P packaging/version.cmake                  print it: 0.2.0+git20261128051322.fd024b6d84
#   cmake -DTO=FOLDER -P packaging/version.cmake      write version.c and version.txt, if they are not the same
#   include(packaging/version.cmake)                  set ODONATA_RELEASE alone
#
# The time is that of the commit, in UTC: unlike a count of commits a clone of depth 1 and an archive know it.
set(source ${CMAKE_CURRENT_LIST_DIR}/..)
file(STRINGS ${source}/include/odonata/base.h ODONATA_RELEASE REGEX "^#define ODONATA_VERSION ")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" ODONATA_RELEASE "${ODONATA_RELEASE}")
if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

# "HASH TIME TAGS" of the commit: git archive writes it into commit.txt; a checkout asks git, if it is one of ours.
file(READ ${CMAKE_CURRENT_LIST_DIR}/commit.txt described)
if(described MATCHES "Format")
  set(described "")
  find_program(git git)
  if(git)
    execute_process(COMMAND ${git} rev-parse --show-prefix WORKING_DIRECTORY ${source} RESULT_VARIABLE failed
                    OUTPUT_VARIABLE inside ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT failed AND inside STREQUAL "")
      execute_process(COMMAND ${git} log -1 "--format=%H %ct %D" WORKING_DIRECTORY ${source}
                      OUTPUT_VARIABLE described ERROR_QUIET)
      execute_process(COMMAND ${git} diff --quiet HEAD -- WORKING_DIRECTORY ${source} RESULT_VARIABLE changed
                      ERROR_QUIET)
    endif()
  endif()
endif()

set(version ${ODONATA_RELEASE})
set(commit unknown)
if(described MATCHES "^([0-9a-f]+) ([0-9]+) ([^\n]*)")
  set(commit ${CMAKE_MATCH_1})
  string(SUBSTRING ${commit} 0 10 short)
  set(tags ", ${CMAKE_MATCH_3},")
  set(ENV{SOURCE_DATE_EPOCH} ${CMAKE_MATCH_2})
  string(TIMESTAMP time "%Y%m%d%H%M%S" UTC)
  if(changed)
    string(APPEND commit ", with changes")
    string(APPEND version "+git${time}.${short}.changed")
  elseif(NOT tags MATCHES ", tag: v${ODONATA_RELEASE},")
    string(APPEND version "+git${time}.${short}")
  endif()
endif()
if(NOT DEFINED TO)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo ${version})
  return()
endif()
file(CONFIGURE OUTPUT ${TO}/version.txt CONTENT "${version}\n")
file(CONFIGURE OUTPUT ${TO}/version.c CONTENT "#include \"base/version.h\"
const char odo_version[] = \"${version}\";
const char odo_commit[] = \"${commit}\";
")
