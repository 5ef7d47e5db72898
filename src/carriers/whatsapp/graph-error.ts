/** Errors of Meta's Graph API and their meaning for a message. */
import type { ReceiptOutcome } from '../../domain/message/journey-event.ts'
import { asText, isJsonObject, parseJsonObject } from '../../wire/json.ts'

export interface GraphError {
  readonly code: number
  /** `131026: Message undeliverable`, at most 200 characters. */
  readonly words: string
}

/**
 * `token`: the account cannot send at all until an operator checks its token, permissions, payment or standing.
 * `elsewhere`: it cannot send to this country. `closed`: the recipient has not written to this sender within 24 hours.
 * `opted out`: the recipient has stopped marketing messages of this sender. `again`: the next attempt may succeed.
 */
export type GraphMeaning =
  | 'slow'
  | 'undeliverable'
  | 'opted out'
  | 'closed'
  | 'token'
  | 'elsewhere'
  | 'again'
  | 'rejected'

const MAX_WORDS = 200

const MEANINGS: ReadonlyMap<number, GraphMeaning> = new Map([
  // The app, the account, the number, or the pair of number and recipient is too fast.
  ...meaning('slow', [4, 613, 80007, 130429, 131048, 131056]),
  // No such user, or Meta withholds this kind of message from this user.
  ...meaning('undeliverable', [131026, 130472, 131049]),
  ...meaning('opted out', [131050]),
  ...meaning('closed', [131047]),
  // The token; the policy, the lock and the payment of the account; the registration and the name of the number.
  ...meaning('token', [0, 3, 10, 190, 131005, 368, 131031, 131042, 133010, 131037]),
  ...meaning('elsewhere', [130497]),
  ...meaning('again', [1, 2, 131000, 131016, 131057, 133004]),
])

function meaning(word: GraphMeaning, codes: readonly number[]): (readonly [number, GraphMeaning])[] {
  return codes.map((code) => [code, word] as const)
}

/** Returns null if the body is not an error of Meta's. */
export function readGraphError(body: string): GraphError | null {
  return readError(parseJsonObject(body)?.['error'])
}

/** Reads an item of `errors` in a webhook call, which has a title in place of a type. */
export function readError(error: unknown): GraphError | null {
  if (!isJsonObject(error) || typeof error['code'] !== 'number') return null
  const data = error['error_data']
  const details = isJsonObject(data) ? asText(data['details']) : ''
  const plain = [asText(error['error_user_title']), asText(error['error_user_msg'])].filter((word) => word !== '')
  const message = details || plain.join(': ') || asText(error['message']) || asText(error['title'])
  const words = [String(error['code']), message]
  return {
    code: error['code'],
    words: words
      .filter((word) => word !== '')
      .join(': ')
      .slice(0, MAX_WORDS)
      .toWellFormed(),
  }
}

export function graphMeaning({ code }: GraphError): GraphMeaning {
  return MEANINGS.get(code) ?? (code >= 200 && code < 300 ? 'token' : 'rejected')
}

/** Returns the outcome of a message that Meta took and could not deliver. */
export function outcomeOf(error: GraphError | null): ReceiptOutcome {
  if (error === null) return 'undeliverable'
  const meaning = graphMeaning(error)
  if (meaning === 'closed') return 'closed'
  return meaning === 'undeliverable' || meaning === 'opted out' ? 'undeliverable' : 'rejected'
}
