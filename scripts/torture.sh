#!/usr/bin/env bash
# Attacks a build for some minutes: mutated files, failing memory and disks, other processes, hostile environments.
# Usage: scripts/torture.sh MINUTES [--build DIR] [--seed N] [--arm NAME]... [--cases N] [--jobs N]
# A run goes on where the last one ended (build/torture/state.json); with --seed it begins anew and can be repeated.
# Findings are in build/torture/findings, each with the command that shows it. Exit status 1: there are findings.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 -B tests/torture "$@"
