/** The bulk of the page. */
import type { AnswerOf } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'

export type Bulk = AnswerOf<'GET', '/accounts/{account}/bulks/{bulk}'>

/** Reads it again after a change. */
export function readAgain(): void {
  invalidate(
    '/bulks',
    '/accounts/{account}/bulks/{bulk}',
    '/accounts/{account}/bulks/{bulk}/errors',
    '/accounts/{account}/bulks/{bulk}/errors/count',
  )
}
