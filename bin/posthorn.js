#!/usr/bin/env node
// Plain JavaScript without await outside functions, so that Node 12.17 and newer get as far as the hint.
const NODE_LEAST = 24
if (Number(process.versions.node.split('.')[0]) < NODE_LEAST) {
  process.stderr.write(`error: Posthorn needs Node ${NODE_LEAST} or newer, and this is ${process.version}\n`)
  process.exit(1)
}
import('node:fs').then(({ existsSync }) => {
  // A checkout runs its sources, so that a build of yesterday is never run by mistake; Node strips types outside node_modules only.
  const isCheckout = existsSync(new URL('../tsconfig.build.json', import.meta.url))
  return import(isCheckout ? '../src/main.ts' : '../dist/main.js')
})
