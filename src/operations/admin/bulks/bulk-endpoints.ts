/** Bulks of an account: operators see how far each has come, and pause or stop it. */
import Type, { type Static } from 'typebox'
import {
  BULK_STATES,
  type BulkCommand,
  type BulkView,
  messagesByStatus,
  waitingLines,
} from '../../../domain/bulk/bulk.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import type { BulkId } from '../../../domain/ids/message-id.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Store } from '../../../ports/stores/store.ts'
import { stopBulk } from '../../bulk/stop-bulk.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { CLIENT_ADMINS, CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import {
  ACCOUNT,
  CURRENCY,
  MONEY,
  nullable,
  OPERATORS,
  PAGING,
  pageOf,
  READERS,
  TIME,
  whole,
  writeTime,
} from '../fields/shapes.ts'
import { STANDARD_ROWS } from '../fields/take-page.ts'

const BULK = whole({ minimum: 1, description: 'the bulk' })

const View = Type.Object({
  bulk: BULK,
  account: ACCOUNT,
  test: Type.Boolean({ description: 'made with a test key' }),
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
  price: MONEY,
  currency: CURRENCY,
  created_at: TIME,
  start_at: nullable(TIME),
  ended_at: nullable(TIME),
})

const PATH = { account: ACCOUNT, bulk: BULK }

export const BULK_CHANGES = {
  'note bulk': {
    what: 'bulks of clients',
    may: OPERATORS,
    accounts: ({ accountId }) => [accountId],
    audit: ({ accountId, bulkId, action }) => entry(`bulk ${bulkId} of account ${accountId}`, null, { action }),
  },
} satisfies Changes

export const BULK_ENDPOINTS = [
  endpoint({
    name: 'listBulks',
    method: 'GET',
    path: '/accounts/{account}/bulks',
    command: 'bulk list',
    summary: 'list the bulks of an account, newest first, without those of test keys',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    query: PAGING,
    result: pageOf(View),
    run: async ({ store }, { account, after = null, most = STANDARD_ROWS }) => {
      const query = { accountId: toAccountId(account), test: false, after, limit: most }
      const bulks = await store.listBulks(query)
      return { data: bulks.map(viewBulk), next: bulks.length < most ? null : (bulks.at(-1)?.id ?? null) }
    },
  }),
  endpoint({
    name: 'readBulk',
    method: 'GET',
    path: '/accounts/{account}/bulks/{bulk}',
    command: 'bulk show',
    summary: 'show how far a bulk has come',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: PATH,
    result: View,
    run: async ({ store }, { account, bulk }) => viewBulk(await find(store, account, bulk)),
  }),
  endpoint({
    name: 'pauseBulk',
    method: 'POST',
    path: '/accounts/{account}/bulks/{bulk}/pause',
    command: 'bulk pause',
    summary: 'pause a bulk; the client can start it again',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: PATH,
    result: View,
    run: ({ store, clock }, { account, bulk }, actor) => {
      const reason = actor.account === null ? 'operator' : 'client'
      return change(store, { account, bulk }, { kind: 'pause', at: clock.now(), reason })
    },
  }),
  endpoint({
    name: 'stopBulk',
    method: 'POST',
    path: '/accounts/{account}/bulks/{bulk}/stop',
    command: 'bulk stop',
    summary: 'end a bulk: the lines that wait are never sent, and what no carrier has is cancelled',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: PATH,
    result: View,
    run: async ({ store, clock, live }, { account, bulk }) => {
      const after = await change(store, { account, bulk }, { kind: 'stop', at: clock.now() })
      if (live === null) return after
      const stopped = await stopBulk(live.operations, await find(store, account, bulk), clock.now())
      return stopped === null ? after : viewBulk(stopped)
    },
  }),
]

type OperatorCommand = Extract<BulkCommand, { kind: 'pause' | 'stop' }>

interface Named {
  readonly account: number
  readonly bulk: number
}

async function find(store: Store, account: number, bulk: number): Promise<BulkView> {
  const found = await store.findBulk(toAccountId(account), bulk as BulkId)
  if (found === null) throw new ChangeRefused(`account ${account} has no bulk ${bulk}`)
  return found
}

async function change(store: Store, { account, bulk }: Named, command: OperatorCommand): Promise<Static<typeof View>> {
  const before = await find(store, account, bulk)
  const order = { kind: 'command', accountId: before.accountId, bulkId: before.id, command } as const
  const after = await store.bulk(order)
  if (after === null) throw new ChangeRefused(`the bulk is ${before.state}`)
  const { kind } = command
  await store.change({ kind: 'note bulk', accountId: before.accountId, bulkId: before.id, action: kind })
  return viewBulk({ ...after, totals: before.totals })
}

function viewBulk(bulk: BulkView): Static<typeof View> {
  const { id, accountId, test, state, reason, pace, lines, refused, duplicates, accepted, currency } = bulk
  return {
    bulk: id,
    account: accountId,
    test,
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
    price: toDecimal(bulk.totals.chargedMicros),
    currency,
    created_at: writeTime(bulk.createdAt),
    start_at: writeTime(bulk.startAt),
    ended_at: writeTime(bulk.endedAt),
  }
}

function writeCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ')
}
