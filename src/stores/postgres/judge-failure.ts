/** What a failure means for the batch in which it happened. */
import { StoreError } from '../../ports/store-errors.ts'

/**
 * `command`: what was asked cannot be done, and would not be the next time. `again`: two transactions stood in each
 * other's way, one of them must be tried anew. `busy`: the server cannot do it now. `away`: the connection is of no use.
 */
export type Judgement = 'command' | 'again' | 'busy' | 'away'

/** By class of SQLSTATE: data, integrity, limits of the program. */
const OF_COMMANDS: ReadonlySet<string> = new Set(['22', '23', '54'])
/** A serialization failure, a deadlock. */
const IN_EACH_OTHERS_WAY: ReadonlySet<string> = new Set(['40001', '40P01'])
/** A lock or a statement that took too long; out of disk, memory or connections; a disk that fails. */
const BUSY = /^(55P03|57014|53...|58...)$/
/** Lost, shut down, starting up, ended by the administrator or for idleness; or a primary that is none any more. */
const AWAY = /^(08...|57P0.|25P0[34]|25006)$/

export function judgeFailure(error: unknown): Judgement {
  if (error instanceof StoreError) return 'command'
  const code = codeOf(error)
  if (code === null) return error instanceof RangeError || error instanceof TypeError ? 'command' : 'away'
  if (IN_EACH_OTHERS_WAY.has(code)) return 'again'
  if (BUSY.test(code)) return 'busy'
  if (AWAY.test(code) || !/^[0-9A-Z]{5}$/.test(code)) return 'away'
  return OF_COMMANDS.has(code.slice(0, 2)) ? 'command' : 'busy'
}

/** SQLSTATE of the server, or the system's word such as ECONNREFUSED. */
function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
