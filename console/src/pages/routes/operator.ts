/** An operator of the table, and what its changes make stale. */
import type { AnswerOf } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'

export type Operator = AnswerOf<'GET', '/operators/list'>['data'][number]

/** Reads everything again that shows operators. */
export function refreshOperators(): void {
  invalidate('/operators/list', '/operators/prefixes', '/statistics')
}
