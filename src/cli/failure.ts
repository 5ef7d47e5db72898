/** What goes wrong on the command line: one clear sentence and an exit code, 1 for what is refused, 2 for wrong usage. */
import { CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { InstallationError } from '../installation.ts'
import { ChangeRefused, StoreError } from '../ports/store.ts'

/** The command was typed in a way that it cannot be understood. Its text holds no value that may be secret. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/** The command is understood and cannot be done. */
export class CannotDo extends Error {
  override readonly name = 'CannotDo'
}

export interface Failure {
  /** Null when it is already told. */
  readonly sentence: string | null
  readonly exitCode: number
}

/** What can be done about what a PostgreSQL server says, which tells only what is wrong. */
const ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [/database ".*" does not exist/, 'correct the name, or make it first by CREATE DATABASE'],
  [/empty password returned|password must be a string/, 'give the password in PGPASSWORD or ~/.pgpass'],
  [
    /permission denied for|must be owner of/,
    'let the owner of the database do posthorn migrate and the grants that docs/cluster.md names',
  ],
]

const EXPECTED = [ChangeRefused, InstallationError, CannotDo]

export function explainFailure(error: unknown): Failure {
  if (error instanceof CommanderError) return { sentence: null, exitCode: error.exitCode === 0 ? 0 : 2 }
  if (error instanceof WrongUsage || error instanceof ConfigError) return { sentence: error.message, exitCode: 2 }
  if (!(error instanceof Error)) return { sentence: String(error), exitCode: 1 }
  if (error instanceof StoreError) return { sentence: advise(error.message), exitCode: 1 }
  const isExpected = EXPECTED.some((kind) => error instanceof kind)
  // A plain Error was written for people: a key file that others may read. So were the system's: a port that is taken.
  const isPlain = Object.getPrototypeOf(error) === Error.prototype || 'syscall' in error
  if (isExpected || isPlain) return { sentence: error.message, exitCode: 1 }
  return { sentence: `unexpected, please report it: ${error.stack}`, exitCode: 1 }
}

function advise(sentence: string): string {
  const found = ADVICE.find(([said]) => said.test(sentence))
  return found === undefined ? sentence : `${sentence}; ${found[1]}`
}
