# Debian packages: `cpack -G DEB` in a build folder that was configured with the prefix /usr.
# An install component is a package. What only packages hold is EXCLUDE_FROM_ALL, so that
# `cmake --install` gives the same tree as ever.
set(ODONATA_PACKAGER "Odonata developers <odonata@example.org>" CACHE STRING "Maintainer: name <address>")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${ODONATA_PACKAGER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # the project's would stand above that of each package
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/stage.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(written ${PROJECT_BINARY_DIR}/packaging)
get_target_property(abi odonata-api SOVERSION)
file(WRITE ${written}/triggers "activate-noawait ldconfig\n")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/packaging/cpack.cmake) # writes shlibs and changelog
set(CPACK_ODONATA_BUILD ${PROJECT_BINARY_DIR})
set(CPACK_ODONATA_ABI ${abi})
# cpack writes scripts that call ldconfig, unless it is given others: here those that are not there. Debian
# wants a trigger, and that for libraries with a soname only.
set(none ${written}/postinst ${written}/postrm)
set(CPACK_DEBIAN_ODONATA-OPENSM_PACKAGE_CONTROL_EXTRA ${none})
set(CPACK_DEBIAN_LIBODONATA${abi}_PACKAGE_CONTROL_EXTRA ${none} ${written}/triggers ${written}/shlibs)

# odonata_package(NAME SUMMARY TEXT FIELD VALUE...): fields are those of CPACK_DEBIAN_*_PACKAGE_<FIELD>.
macro(odonata_package name summary text)
  list(APPEND CPACK_COMPONENTS_ALL ${name})
  string(TOUPPER ${name} upper)
  set(fields NAME ${name} ${ARGN})
  while(fields)
    list(POP_FRONT fields field value)
    set(CPACK_DEBIAN_${upper}_PACKAGE_${field} "${value}")
  endwhile()
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}")
  install(FILES packaging/copyright ${written}/changelog COMPONENT ${name} EXCLUDE_FROM_ALL
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name})
  if(EXISTS ${PROJECT_SOURCE_DIR}/packaging/${name}.lintian)
    install(FILES packaging/${name}.lintian RENAME ${name} COMPONENT ${name} EXCLUDE_FROM_ALL
      DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides)
  endif()
endmacro()

odonata_package(odonata "routes, proves and emulates low-diameter InfiniBand fabrics"
  "Recognises dragonflies, FlatFlies, tori, Slim Flies and fat trees from their
cables alone, and names wrong and missing cables. Routes the fabric, proves
that the tables deliver and cannot deadlock, and sends packets through them.
Tables are exported for OpenSM and for other tools."
  SECTION net SUGGESTS "odonata-doc, odonata-opensm, gnuplot-nox")
odonata_package(libodonata${abi} "routing and emulation of InfiniBand fabrics: library"
  "A C library that maps, routes, verifies, analyses and emulates InfiniBand
fabrics. Here is what programs need that were built with it."
  SECTION libs)
odonata_package(libodonata-dev "routing and emulation of InfiniBand fabrics: development"
  "A C library that maps, routes, verifies, analyses and emulates InfiniBand
fabrics. Here are headers, files for pkg-config and CMake, and two examples."
  SECTION libdevel SUGGESTS odonata-doc)
odonata_package(odonata-doc "routing and emulation of InfiniBand fabrics: documentation"
  "Guides for operators, references of the command and of the C library, how the
parts of Odonata work, and what was measured."
  SECTION doc ARCHITECTURE all)
if(TARGET odonata-plugin)
  # opensm loads plugins that were built for its version, and runs on without others: where its configuration
  # names no other engine, without routes. So apt does not upgrade one of the two alone.
  file(STRINGS ${OPENSM_INCLUDE}/opensm/osm_version.h opensm REGEX "#define OSM_VERSION")
  string(REGEX REPLACE ".*OpenSM ([0-9.]+).*" "\\1" opensm "${opensm}")
  odonata_package(odonata-opensm "routing engines for low-diameter fabrics: OpenSM plugin"
    "A plugin of the stock opensm. It recognises dragonflies, FlatFlies, tori, Slim
Flies and fat trees from their cables, and installs forwarding tables that are
proved to be free of deadlocks. opensm uses it when its configuration says so."
    SECTION net ENHANCES opensm SUGGESTS "odonata, odonata-doc"
    RECOMMENDS "opensm (>= ${opensm}), opensm (<< ${opensm}+~)"
    BREAKS "opensm (<< ${opensm}), opensm (>= ${opensm}+~)")
  install(FILES packaging/man/odonata.conf.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT odonata-opensm)
  install(FILES packaging/man/odonata-plugin.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT odonata-opensm)
  install(FILES packaging/odonata.conf packaging/opensm.conf packaging/restart.conf tools/check_certificate.c
    tools/check_multicast.py COMPONENT odonata-opensm
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/odonata-opensm/examples EXCLUDE_FROM_ALL)
endif()
install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/odonata COMPONENT odonata EXCLUDE_FROM_ALL)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libodonata-dev/examples
  COMPONENT libodonata-dev EXCLUDE_FROM_ALL)
set(doc DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/odonata-doc COMPONENT odonata-doc EXCLUDE_FROM_ALL)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md ${doc})
install(DIRECTORY docs ${doc} PATTERN .gitignore EXCLUDE)
include(CPack)
