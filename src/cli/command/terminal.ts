/** The outside world of the command line: terminal, environment, time, randomness, signals. */
import { userInfo } from 'node:os'
import { text } from 'node:stream/consumers'
import { isCommandOfNpm } from '../../app/settings/config.ts'
import { systemClock, systemPause } from '../../app/system/system-clock.ts'
import { systemRandom } from '../../app/system/system-random.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import { askLine } from './ask-line.ts'
import { untilStopRequested } from './stop-signals.ts'

export interface Terminal {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether `err` is a terminal, so that a line can be redrawn. */
  readonly isWatched: boolean
  /** Asks the user one line, without echo if it is hidden; null if no user is at the terminal. */
  readonly ask: ((question: string, isHidden: boolean) => Promise<string>) | null
  /** Reads all of standard input. */
  readonly readInput: () => Promise<string>
  /** Undefined means the environment of this process, which only src/app/settings/config.ts reads. */
  readonly environment: Readonly<Record<string, string | undefined>> | undefined
  /** User name for the audit log. */
  readonly user: string
  readonly clock: Clock
  readonly random: Random
  /** Waits so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>
  /** Resolves when the process is asked to stop. */
  readonly untilStopped: () => Promise<void>
}

/** The terminal of this process. */
export const processTerminal: Terminal = {
  out: (line) => void process.stdout.write(line),
  err: (line) => void process.stderr.write(line),
  isWatched: process.stderr.isTTY === true,
  ask:
    process.stdin.isTTY && process.stderr.isTTY
      ? askLine.bind(null, { input: process.stdin, output: process.stderr })
      : null,
  readInput: () => text(process.stdin),
  environment: undefined,
  user: nameOfUser(),
  clock: systemClock,
  random: systemRandom,
  pause: systemPause,
  untilStopped: () => untilStopRequested(process, systemClock, isCommandOfNpm()),
}

/** In a container the user id may have no name. */
function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}
