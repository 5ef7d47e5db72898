/** An inbound number as the API lists it. */
import type { AnswerOf } from '../../api/api.ts'

export type InboundNumber = AnswerOf<'GET', '/inbound-numbers'>['data'][number]

/** Returns the number with its keyword, as tables and dialogs name it. */
export function nameOf({ address, keyword }: Pick<InboundNumber, 'address' | 'keyword'>): string {
  return keyword === null ? address : `${address} ${keyword}`
}
