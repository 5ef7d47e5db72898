/** Classifies a failure of a batch. */
import { StoreError } from '../../../ports/records/store-errors.ts'

/**
 * `command`: a command cannot be executed, now or later. `again`: two transactions conflicted, retry at once. `busy`:
 * the server cannot execute it now. `away`: the connection is unusable.
 */
export type FailureJudgement = 'command' | 'again' | 'busy' | 'away'

/** By class of SQLSTATE: data, integrity, limits of the program. */
const OF_COMMANDS: ReadonlySet<string> = new Set(['22', '23', '54'])
/** A serialization failure, a deadlock. */
const IN_EACH_OTHERS_WAY: ReadonlySet<string> = new Set(['40001', '40P01'])
/** A lock or statement timeout; out of disk, memory or connections; a failing disk. */
const BUSY = /^(55P03|57014|53...|58...)$/
/** Lost, shut down, starting up, terminated by the administrator or as idle; or a former primary. */
const AWAY = /^(08...|57P0.|25P0[34]|25006)$/

export function judgeStatementFailure(error: unknown): FailureJudgement {
  if (error instanceof StoreError) return 'command'
  const code = codeOf(error)
  if (code === null) return error instanceof RangeError || error instanceof TypeError ? 'command' : 'away'
  if (IN_EACH_OTHERS_WAY.has(code)) return 'again'
  if (BUSY.test(code)) return 'busy'
  if (AWAY.test(code) || !/^[0-9A-Z]{5}$/.test(code)) return 'away'
  return OF_COMMANDS.has(code.slice(0, 2)) ? 'command' : 'busy'
}

/** SQLSTATE of the server, or a system error code such as ECONNREFUSED. */
function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
