#!/usr/bin/env node
// Plain JavaScript, so that any Node gets as far as the hint. A published package has been built; a checkout runs as it is.
const { existsSync } = await import('node:fs')

const NODE_LEAST = 24
if (Number(process.versions.node.split('.')[0]) < NODE_LEAST) {
  process.stderr.write(`error: Posthorn needs Node ${NODE_LEAST} or newer, and this is ${process.version}\n`)
  process.exit(1)
}
const built = new URL('../dist/main.js', import.meta.url)
await import(existsSync(built) ? built.href : '../src/main.ts')
