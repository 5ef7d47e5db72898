/**
 * What follows the store's outcomes: passes stored messages to delivery, and builds the answer text from drafts.
 * Repeats are answered from the stored draft by the same code, byte for byte.
 */

import { countCharacters } from '../../contract/fields/kinds.ts'
import {
  withWarnings,
  writeAnswer,
  writeItemError,
  writeResult,
  writeSendResult,
} from '../../contract/request/envelope.ts'
import { ITEM_ERRORS, limitReached } from '../../contract/request/error-texts.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Message } from '../../domain/message/message.ts'
import { toDecimal } from '../../domain/money/money.ts'
import type { SmsTemplate } from '../../domain/text/template.ts'
import { countParts } from '../../domain/text/text-parts.ts'
import type { AcceptItem, ItemOutcome } from '../../ports/stores/intake-store.ts'
import type { OperationTools } from './operation-tools.ts'

/** The result of one operation as known before the store has answered. `id` is the client's JSON token. */
export type ResultDraft = (
  | { readonly kind: 'written'; readonly text: string }
  | { readonly kind: 'send'; readonly id: string | null; readonly parts: number }
  | { readonly kind: 'call'; readonly id: string | null; readonly price: number; readonly waitUntil: number | null }
  | { readonly kind: 'verification'; readonly id: string | null; readonly result: object }
  | { readonly kind: 'resend'; readonly id: string | null; readonly verifyId: MessageId; readonly result: object }
  | { readonly kind: 'template'; readonly id: string | null; readonly result: object }
  | { readonly kind: 'templates' }
  /** The field that names the template. */
  | { readonly kind: 'template removal'; readonly id: string | null; readonly field: string }
  | { readonly kind: 'balance'; readonly currency: string }
  | { readonly kind: 'lookup'; readonly id: string | null; readonly result: object }
) & {
  /** Ignored fields of the operation; absent if none. */
  readonly warnings?: readonly string[]
}

export interface AnswerDraft {
  /** Null for synchronous requests. */
  readonly requestId: string | null
  readonly results: readonly ResultDraft[]
}

/** A call that the answer waits for to ring. */
export interface AwaitedCall {
  readonly messageId: MessageId
  /** Milliseconds. */
  readonly waitUntil: number
}

/** `outcomes` belong to the drafts not yet written, in order. */
export function answerOf(
  draft: AnswerDraft,
  outcomes: readonly ItemOutcome[],
  failedCalls: ReadonlySet<MessageId>,
): string {
  let next = 0
  const results = draft.results.map((result) => {
    const { warnings = NONE } = result
    if (result.kind === 'written') return withWarnings(result.text, warnings)
    const outcome = outcomes[next]
    next += 1
    if (outcome === undefined) throw new RangeError('the store gave fewer outcomes than it was asked for')
    return withWarnings(resultOf(result, outcome, failedCalls), warnings)
  })
  return writeAnswer(results, draft.requestId)
}

const NONE: readonly string[] = []

export function awaitedCalls(draft: AnswerDraft, outcomes: readonly ItemOutcome[]): readonly AwaitedCall[] {
  if (!draft.results.some(({ kind }) => kind === 'call')) return NO_CALLS
  const asked = draft.results.filter((result) => result.kind !== 'written')
  return asked.flatMap((result, index) => {
    const outcome = outcomes[index]
    if (result.kind !== 'call' || result.waitUntil === null || outcome?.kind !== 'accepted') return []
    return [{ messageId: outcome.messageId, waitUntil: result.waitUntil }]
  })
}

const NO_CALLS: readonly AwaitedCall[] = []

type OpenDraft = Exclude<ResultDraft, { readonly kind: 'written' }>

function resultOf(draft: OpenDraft, outcome: ItemOutcome, failedCalls: ReadonlySet<MessageId>): string {
  switch (outcome.kind) {
    case 'accepted':
      if (draft.kind === 'send') return writeSendResult(draft.id, outcome.messageId, draft.parts)
      if (draft.kind === 'verification') {
        return writeResult({ verify_id: outcome.messageId, ...draft.result }, draft.id)
      }
      if (draft.kind === 'resend') {
        return writeResult({ verify_id: draft.verifyId, msg_id: outcome.messageId, ...draft.result }, draft.id)
      }
      if (draft.kind !== 'call' || outcome.call === null) break
      if (failedCalls.has(outcome.messageId)) return writeItemError(draft.id, ITEM_ERRORS.callFailed)
      return writeResult({ code: outcome.call.code, price: draft.price })
    case 'repeated':
      if (draft.kind !== 'send') break
      return writeSendResult(draft.id, outcome.messageId, outcome.parts)
    case 'balance':
      if (draft.kind !== 'balance') break
      return writeResult({ amount: toDecimal(outcome.availableMicros), currency: draft.currency })
    case 'charged':
      if (draft.kind !== 'lookup') break
      return writeResult(draft.result, draft.id)
    case 'template created':
      if (draft.kind !== 'template') break
      return writeResult(draft.result)
    case 'templates':
      if (draft.kind !== 'templates') break
      return writeResult(outcome.templates.map(describeTemplate))
    case 'template removed':
      if (draft.kind !== 'template removal') break
      return writeResult(describeTemplate(outcome.template))
    case 'limited':
      return writeItemError('id' in draft ? draft.id : null, limitReached(outcome.guard, outcome.of))
    case 'no such template':
      if (draft.kind !== 'template removal') break
      return writeItemError(draft.id, ITEM_ERRORS.noSuchTemplate, draft.field)
    default:
      return writeItemError('id' in draft ? draft.id : null, ERROR_OF[outcome.kind])
  }
  throw new TypeError(`the store answered ${outcome.kind} where ${draft.kind} was asked`)
}

/** Returns why an item was not accepted. */
export function writeFailure(outcome: ItemOutcome): string {
  if (outcome.kind === 'limited') return limitReached(outcome.guard, outcome.of)
  return outcome.kind in ERROR_OF ? ERROR_OF[outcome.kind as FailedKind] : outcome.kind
}

type FailedKind = Exclude<
  ItemOutcome['kind'],
  'accepted' | 'repeated' | 'limited' | 'balance' | 'charged' | 'template created' | 'templates' | 'template removed'
>

const ERROR_OF: Readonly<Record<FailedKind, string>> = {
  unpaid: ITEM_ERRORS.insufficientFunds,
  'too many calls': ITEM_ERRORS.tooManyCalls,
  'no number free': ITEM_ERRORS.noNumberFree,
  'name taken': ITEM_ERRORS.nameTaken,
  'too many templates': ITEM_ERRORS.tooManyTemplates,
  'no such template': ITEM_ERRORS.noSuchTemplate,
}

/** Passes stored messages to delivery without reading them again; announces those that wait in the store. */

/** `outcomes` are those of the first items. */
export function passAccepted(
  { outbox, onAccepted }: Pick<OperationTools, 'outbox' | 'onAccepted'>,
  items: readonly AcceptItem[],
  outcomes: readonly ItemOutcome[],
): void {
  const messages: Message[] = []
  const accepted: Message[] = []
  let dueAt: number | null = null
  let index = 0
  for (const item of items) {
    const outcome = outcomes[index]
    index += 1
    if (outcome?.kind !== 'accepted' || (item.kind !== 'message' && item.kind !== 'call')) continue
    accepted.push(item.message)
    if (item.waits) dueAt = Math.min(dueAt ?? Number.POSITIVE_INFINITY, item.message.journey.dueAt ?? 0)
    else if (outcome.call === null) messages.push(item.message)
    else messages.push(withCall(item.message, outcome.call))
  }
  if (dueAt !== null || messages.length > 0) outbox.take(messages, dueAt)
  onAccepted?.(accepted)
}

function withCall(message: Message, content: NonNullable<Extract<ItemOutcome, { kind: 'accepted' }>['call']>): Message {
  return { ...message, plan: message.plan.map((step) => (step.channel === 'call' ? { ...step, content } : step)) }
}

/** Public form of an SMS template (specification 2.6), with its length in characters and parts. */
export function describeTemplate({ id, template, name }: Omit<SmsTemplate, 'accountId'>): object {
  return { id, template, name, count: `${countCharacters(template)} / ${countParts(template)}` }
}
