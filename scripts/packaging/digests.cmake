# Runs when a component is installed, after its files: writes their SHA-256 digests as sha256sum does, for
# `polycodec doctor --verify`. `component`, `libdir` and `files` (below libdir) are set before.
set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${libdir}")
set(lines "")
foreach(file IN LISTS files)
  file(SHA256 "${root}/${file}" digest)
  string(APPEND lines "${digest}  ${file}\n")
endforeach()
file(WRITE "${root}/polycodec/digests/${component}.sha256" "${lines}")
file(CHMOD "${root}/polycodec/digests/${component}.sha256" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
