/** Calls by which a carrier checks a webhook before it uses it: it expects a text of the call in the answer. */
import Type from 'typebox'
import type { WebhookAnswer } from '../../../ports/carriers/carrier.ts'
import { group, text } from '../../shared/setting-kinds.ts'
import { type JsonPath, textAt } from '../places/find-text.ts'

export interface WebhookChallenge {
  readonly word: JsonPath
  readonly is: string
  readonly value: JsonPath
  /** Null for the text alone. */
  readonly member: string | null
}

/** Characters of the text. */
const MAX_VALUE = 1_024

export const CHALLENGE_SETTING = Type.Optional(
  group(
    {
      word: text('Path or name of a word in an item, such as `eventType`.'),
      is: text('What the word is in such a call.'),
      value: text('Path or name of the text to return.'),
      member: Type.Optional(text('Member of the JSON answer that has the text; the answer is the text by default.')),
    },
    'A call by which the carrier checks the webhook before it uses it.',
  ),
)

/** Returns null if no item is a challenge. */
export function answerChallenge(items: readonly unknown[], challenge: WebhookChallenge | null): WebhookAnswer | null {
  if (challenge === null) return null
  const { word, is, value, member } = challenge
  const found = items.find((item) => textAt(item, word) === is)
  const body = found === undefined ? '' : textAt(found, value, MAX_VALUE)
  if (body === '') return null
  if (member === null) return { status: 200, body }
  return { status: 200, body: JSON.stringify({ [member]: body }), contentType: 'application/json' }
}
