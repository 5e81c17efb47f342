#!/usr/bin/env bash
# Builds the script and the style of the pages of `polycodec view` from tools/view/page/web.
# Usage: scripts/view_assets.sh [--check]
#   --check  writes nothing, and fails if the committed files are not what the sources give
# The packages of npm are those of package-lock.json, each checked by its hash. They go to build/view.
set -euo pipefail
cd "$(dirname "$0")/.."

web=$PWD/tools/view/page/web
work=$PWD/build/view
mkdir -p "$work"
rm -rf "$work/src" "$work/dist"
cp -r "$web/src" "$web/package.json" "$web/package-lock.json" "$web/tsconfig.json" "$work/"
(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)

cd "$work"
node_modules/.bin/tsc
mkdir dist
{
  echo "The script and the style of the pages of polycodec view hold these libraries."
  for package in ogl uplot; do
    printf '\n== %s %s\n\n' "$package" "$(node -p "require('./node_modules/$package/package.json').version")"
    if [ -e "node_modules/$package/LICENSE" ]; then cat "node_modules/$package/LICENSE"
    else
      # The package has no file with the text.
      license=$(node -p "require('./node_modules/$package/package.json').license")
      echo "License: $license"
      echo
      cat "$web/licenses/$license.txt"
    fi
  done
} >dist/LICENSES.txt
# Each page carries the licenses with the libraries. page.source.js is what page.js was before it was made small.
esbuild=(node node_modules/esbuild/bin/esbuild --bundle --target=es2022 --charset=ascii --legal-comments=none --log-level=warning
  --banner:js="/*! $(cat dist/LICENSES.txt) */")
"${esbuild[@]}" --format=iife --outfile=dist/page.source.js src/main.ts
"${esbuild[@]}" --format=iife --outfile=dist/page.js --minify src/main.ts
"${esbuild[@]}" --outfile=dist/page.css --minify src/style.css
if grep -qi '</script\|<!--' dist/page.js || grep -qi '</style' dist/page.css; then
  echo "view_assets.sh: the bundle would end its own element" >&2
  exit 1
fi
(cd dist && sha256sum LICENSES.txt page.css page.js page.source.js >SHA256SUMS)

if [ "${1:-}" = --check ]; then
  diff -r dist "$web/dist" >/dev/null || { echo "view_assets.sh: tools/view/page/web/dist is not what the sources give; run scripts/view_assets.sh" >&2; exit 1; }
  echo "tools/view/page/web/dist is what the sources give"
else
  mkdir -p "$web/dist"
  cp dist/* "$web/dist/"
  wc -c "$web"/dist/*
fi
