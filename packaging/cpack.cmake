# Read by cpack before it packs. The packages have the version of what was built, which CMake does not know when it
# configures.
set(written ${CPACK_ODONATA_BUILD}/packaging)
file(STRINGS ${CPACK_ODONATA_BUILD}/version.txt version)
set(CPACK_DEBIAN_PACKAGE_VERSION ${version})
set(library libodonata${CPACK_ODONATA_ABI})
set(CPACK_DEBIAN_LIBODONATA-DEV_PACKAGE_DEPENDS "${library} (= ${version})")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${written}/changelog "odonata (${version}) unstable; urgency=medium\n\n"
  "  * CHANGELOG.md, in odonata-doc, tells what is new.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
file(WRITE ${written}/shlibs "libodonata-api ${CPACK_ODONATA_ABI} ${library} (>= ${version})\n")
