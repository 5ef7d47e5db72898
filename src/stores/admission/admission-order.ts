/** A client's request as admission processes it: rows are prepared before the decision. */
import { comparedToken } from '../../domain/ids/client-id.ts'
import { type Message, partsOf } from '../../domain/message/message.ts'
import { formsOf } from '../../domain/numbers/phone.ts'
import type { ShortLink } from '../../ports/records/short-link.ts'
import type { TemplateItem } from '../../ports/records/template-items.ts'
import type { AcceptItem, AcceptRequest, LookupItem } from '../../ports/stores/intake-store.ts'
import { type MessageRow, toMessageRow, type WriteJourney, writeObject } from '../rows/messages/message-row.ts'
import { HELD_ROW, waitingRow } from '../rows/queues/place.ts'
import { askedRow, type CountRow } from '../rows/statistics/message-total.ts'

export interface AdmissionOrder extends Omit<AcceptRequest, 'items'> {
  readonly items: readonly AdmissionItem[]
}

export type AdmissionItem = MessageItem | CallItem | TemplateItem | LookupItem | { readonly kind: 'balance' }

interface StoredItem {
  readonly row: MessageRow
  readonly holdMicros: number
  readonly channel: string
  readonly tenant: number
  /** Milliseconds. */
  readonly dueAt: number
  /** In the store, for a node with free memory; otherwise the accepting node holds it. */
  readonly waits: boolean
  /** Indexes into the limits of the request that the item counts toward; null if nothing is limited. */
  readonly counts: readonly number[] | null
  /** For the statistics; null for a test message. */
  readonly asked: CountRow | null
}

export interface MessageItem extends StoredItem {
  readonly kind: 'message'
  readonly links: readonly LinkRow[]
  /** The client id if it must be unique; otherwise null. */
  readonly uniqueKey: string | null
  readonly parts: number
}

type LinkRow = readonly [code: string, url: string, expiresAt: number]

export interface CallItem extends StoredItem, CallTerms {
  readonly kind: 'call'
}

interface CallTerms extends Pick<Extract<AcceptItem, { kind: 'call' }>, 'candidates' | 'codesSince' | 'limit'> {
  readonly calledUnder: string
  /** Index of the call in the plan. */
  readonly callStep: number
}

export function toAdmissionOrder(request: AcceptRequest, writeJourney: WriteJourney = writeObject): AdmissionOrder {
  return { ...request, items: request.items.map((item) => toAdmissionItem(item, request.now, writeJourney)) }
}

/** A message's fields are written out, because a copy of those of any stored item takes longer than all else here. */
function toAdmissionItem(item: AcceptItem, now: number, writeJourney: WriteJourney): AdmissionItem {
  switch (item.kind) {
    case 'message': {
      const stored = toStoredItem(item, now, writeJourney)
      return {
        kind: 'message',
        row: stored.row,
        holdMicros: stored.holdMicros,
        channel: stored.channel,
        tenant: stored.tenant,
        dueAt: stored.dueAt,
        waits: stored.waits,
        counts: stored.counts,
        asked: stored.asked,
        links: item.links.length === 0 ? NO_LINKS : item.links.map(toLinkRow),
        uniqueKey: uniqueKeyOf(item.message, item.uniqueId),
        parts: partsOf(item.message.plan),
      }
    }
    case 'call': {
      const { candidates, codesSince, limit, message } = item
      const callStep = message.plan.findIndex(({ channel }) => channel === 'call')
      const terms = { candidates, codesSince, limit, callStep, calledUnder: calledUnder(message) }
      return { kind: 'call', ...toStoredItem(item, now, writeJourney), ...terms }
    }
    default:
      return item
  }
}

function toStoredItem(
  { message, waits, counts }: Pick<Extract<AcceptItem, { kind: 'message' | 'call' }>, 'message' | 'waits' | 'counts'>,
  now: number,
  writeJourney: WriteJourney,
): StoredItem {
  const { plan, journey } = message
  const { tenant, dueAt } = waits ? waitingRow(message, now) : HELD_ROW
  return {
    row: toMessageRow(message, writeJourney),
    holdMicros: journey.heldMicros,
    channel: plan[journey.step]?.channel ?? '',
    tenant,
    dueAt,
    waits,
    counts: counts ?? null,
    asked: askedRow(message),
  }
}

const NO_LINKS: readonly LinkRow[] = []

function toLinkRow({ code, url, expiresAt }: ShortLink): LinkRow {
  return [code, url, expiresAt]
}

/** Counters and unique names of live messages are separate from those of test messages, by a prefix. */

/**
 * The name under which a client id is unique in its account; null if it need not be. JSON tokens never begin with the
 * test prefix.
 */
function uniqueKeyOf({ clientId, test }: Message, isUnique: boolean): string | null {
  return isUnique && clientId !== null ? apart(comparedToken(clientId), test) : null
}

/** The name under which the calls to a phone are counted. */
function calledUnder({ phone, test }: Pick<Message, 'phone' | 'test'>): string {
  return apart(formsOf(phone)[0], test)
}

/** The prefix of names of test messages. */
export const TEST_MARK = 'test '

function apart(name: string, test: boolean): string {
  return test ? TEST_MARK + name : name
}
