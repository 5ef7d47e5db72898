/** A bulk as operators and users of its account see it. */
import Type, { type Static } from 'typebox'
import {
  BULK_MAKERS,
  BULK_STATES,
  type BulkView,
  messagesByStatus,
  waitingCost,
  waitingLines,
} from '../../../domain/bulk/bulk.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import type { BulkId } from '../../../domain/ids/message-id.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Store } from '../../../ports/stores/store.ts'
import type { Actor } from '../endpoint/endpoint.ts'
import { ACCOUNT, CURRENCY, MONEY, nullable, TEXT_READERS, TIME, whole, writeTime } from '../fields/shapes.ts'

const BULK = whole({ minimum: 1, description: 'the bulk' })

export const BULK_PATH_FIELDS = { account: ACCOUNT, bulk: BULK }

export interface NamedBulk {
  readonly account: number
  readonly bulk: number
}

/** Enough of a text to distinguish bulks. */
const TEXT_CHARACTERS = 100

export const BulkSummary = Type.Object({
  bulk: BULK,
  account: ACCOUNT,
  test: Type.Boolean({ description: 'made with a test key, or as a test' }),
  channels: Type.Array(Type.String(), { description: 'in the order in which they are tried' }),
  senders: Type.Array(Type.String()),
  text: nullable(Type.String(), {
    description: `the first ${TEXT_CHARACTERS} characters with placeholders; null without a text, and for roles that see no texts`,
  }),
  state: Type.Enum([...BULK_STATES]),
  reason: nullable(Type.String(), { description: 'why it is paused' }),
  pace: whole({ description: 'messages per second' }),
  lines: whole(),
  refused: whole(),
  duplicates: whole({ description: 'lines that `skip_duplicates` dropped' }),
  waiting: whole({ description: 'lines that wait for their turn' }),
  accepted: whole({ description: 'lines that became messages' }),
  messages: Type.String({ description: 'number of messages by status' }),
  estimate: MONEY,
  waiting_cost: Type.Number({ description: 'share of the estimate that the waiting lines have' }),
  price: MONEY,
  currency: CURRENCY,
  created_by: nullable(Type.String(), {
    description: 'name of who made it; null for operators, if a user of an account reads it, and for older bulks',
  }),
  created_by_kind: nullable(Type.Enum([...BULK_MAKERS]), {
    description: 'an operator, a user of the account, or a key of a program; null for older bulks',
  }),
  created_at: TIME,
  start_at: nullable(TIME),
  ended_at: nullable(TIME),
})

/** Rejects with ChangeRefused without such a bulk. */
export async function readNamedBulk(store: Store, { account, bulk }: NamedBulk): Promise<BulkView> {
  const found = await store.findBulk(toAccountId(account), bulk as BulkId)
  if (found === null) throw new ChangeRefused(`account ${account} has no bulk ${bulk}`)
  return found
}

export function viewBulk(bulk: BulkView, reader: Actor): Static<typeof BulkSummary> {
  const { id, accountId, test, state, reason, pace, lines, refused, duplicates, accepted, currency, maker } = bulk
  return {
    bulk: id,
    account: accountId,
    test,
    ...viewMessage(bulk, reader),
    state,
    reason,
    pace,
    lines,
    refused,
    duplicates,
    waiting: waitingLines(bulk),
    accepted,
    messages: writeCounts(messagesByStatus(bulk)),
    estimate: toDecimal(bulk.estimateMicros),
    waiting_cost: toDecimal(waitingCost(bulk)),
    price: toDecimal(bulk.totals.chargedMicros),
    currency,
    created_by: maker === undefined || (maker.kind === 'operator' && reader.account !== null) ? null : maker.name,
    created_by_kind: maker?.kind ?? null,
    created_at: writeTime(bulk.createdAt),
    start_at: writeTime(bulk.startAt),
    ended_at: writeTime(bulk.endedAt),
  }
}

/** Fields of a channel begin with its name, also with those that clients give the chat app. */
function viewMessage({ message }: Pick<BulkView, 'message'>, { role }: Actor) {
  const fields: Readonly<Record<string, unknown>> = JSON.parse(message)
  const channels = String(fields['type']).split('+')
  const textsOf = (end: string) =>
    channels.flatMap((channel) => {
      const text = fields[`${channel}_${end}`]
      return typeof text === 'string' && text !== '' ? [text] : []
    })
  const [text = null] = TEXT_READERS.includes(role) ? textsOf('message') : []
  return {
    channels,
    senders: [...new Set(textsOf('signature'))],
    text: text === null ? null : [...text.replace(/\s+/g, ' ')].slice(0, TEXT_CHARACTERS).join(''),
  }
}

function writeCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ')
}
