/** Runs the command line. Started by bin/posthorn.js, or as it is. */
import { explainSystemError } from './cli/command/system-errors.ts'
import { processTerminal } from './cli/command/terminal.ts'
import { runProgram } from './cli/program.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A gateway stops when a signal asks it to, even if its terminal or reader is gone.
  if (process.listenerCount('SIGTERM') > 0) return
  // The reader, such as head, has closed the pipe.
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`error: standard output: ${explainSystemError(error.message)}\n`)
  process.exit(1)
})
process.stderr.on('error', () => {})
const exitCode = await runProgram(process.argv.slice(2), processTerminal)
// After a failure nothing that was opened half may keep the process alive.
if (exitCode !== 0) process.exit(exitCode)
