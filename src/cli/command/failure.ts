/**
 * Errors of commands: one sentence, `error: --option: what is wrong`, and exit code 1 for a failure, 2 for wrong usage.
 */
import { CommanderError } from 'commander'
import { InstallationError } from '../../app/installation/installation-error.ts'
import { ConfigError } from '../../app/settings/config.ts'
import { ChangeRefused, StoreError } from '../../ports/records/store-errors.ts'
import { explainSystemError } from './system-errors.ts'
import { explainUsage } from './usage-errors.ts'

/** An option or argument is invalid. The text contains no value that may be secret. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/** The command is valid but fails. */
export class CannotDo extends Error {
  override readonly name = 'CannotDo'
}

export interface CommandFailure {
  /** Null if there is nothing to print: help was shown. */
  readonly sentence: string | null
  readonly exitCode: number
}

const EXPECTED = [ChangeRefused, InstallationError, CannotDo, StoreError]

export function explainFailure(error: unknown): CommandFailure {
  if (error instanceof CommanderError) return { sentence: explainUsage(error), exitCode: error.exitCode === 0 ? 0 : 2 }
  if (error instanceof WrongUsage || error instanceof ConfigError) return { sentence: error.message, exitCode: 2 }
  if (!(error instanceof Error)) return { sentence: String(error), exitCode: 1 }
  const isExpected = EXPECTED.some((kind) => error instanceof kind)
  // Texts of plain Errors are written for operators, such as a key file that other users may read.
  const isPlain = Object.getPrototypeOf(error) === Error.prototype || 'syscall' in error
  if (isExpected || isPlain) return { sentence: explainSystemError(error.message), exitCode: 1 }
  return { sentence: `unexpected, please report it: ${error.stack}`, exitCode: 1 }
}
