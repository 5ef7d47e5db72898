#!/usr/bin/env node
/** Runs the command line. Written so that an older Node gets as far as the hint; everything else is loaded after it. */
const NODE_LEAST = 24

if (Number(process.versions.node.split('.')[0]) < NODE_LEAST) {
  process.stderr.write(`error: Posthorn needs Node ${NODE_LEAST} or newer, and this is ${process.version}\n`)
  process.exitCode = 1
} else {
  const { runProgram } = await import('./cli/program.ts')
  const { processTerminal } = await import('./cli/terminal.ts')
  const exitCode = await runProgram(process.argv.slice(2), processTerminal)
  // After a failure nothing that was opened half may keep the process alive.
  if (exitCode !== 0) process.exit(exitCode)
}
