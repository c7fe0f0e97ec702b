#!/usr/bin/env bash
# The console in real browsers: the built page is up to date, and the suite runs.
# Returns 77 where Chromium or the npm packages cannot be had.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v npm >/dev/null; then
  echo "skipped: no Node here; install Node 20.19 or newer with npm"
  exit 77
fi
if [[ ! -x ${CHROMIUM:-/usr/bin/chromium} ]]; then
  { apt-get update -qq && apt-get install -y -qq chromium; } >/dev/null 2>&1
fi
if [[ ! -x ${CHROMIUM:-/usr/bin/chromium} ]]; then
  echo "skipped: no Chromium here, and the package chromium cannot be installed; CHROMIUM names another"
  exit 77
fi
if ! npm ci --no-audit --no-fund >/dev/null; then
  echo "skipped: the npm packages cannot be had"
  exit 77
fi
npm run -s check || exit 1
dist=../../cmd/skald/internal/console/dist
built=$(mktemp -d) || exit 1
trap 'rm -rf "$built"' EXIT
npx vite build --outDir "$built/dist" --emptyOutDir --logLevel warn || exit 1
if ! diff -rq "$built/dist" "$dist"; then
  echo "the built page differs from its sources: npm run build in clients/console, and commit $dist"
  exit 1
fi
node sizes.mjs || exit 1
go build -o "$built/skald" ../../cmd/skald || exit 1
SKALD_BIN=$built/skald npm test
