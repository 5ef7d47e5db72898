/** Bulks of accounts: operators and users of the account see how far each has come, and pause, slow down or stop it. */
import Type, { type Static } from 'typebox'
import { type BulkCommand, type BulkView, MAX_PACE } from '../../../domain/bulk/bulk.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { BulkNote, BulkQuery } from '../../../ports/stores/bulk-store.ts'
import type { Store } from '../../../ports/stores/store.ts'
import { lineColumnsOf } from '../../bulk/line-fields.ts'
import { stopBulk } from '../../bulk/stop-bulk.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { CLIENT_ADMINS, CLIENTS } from '../endpoint/client-access.ts'
import { type Actor, endpoint } from '../endpoint/endpoint.ts'
import { ACCOUNT, OPERATORS, PAGING, pageOf, READERS, whole } from '../fields/shapes.ts'
import { STANDARD_ROWS } from '../fields/take-page.ts'
import { BULK_PATH_FIELDS, BulkSummary, type NamedBulk, readNamedBulk, viewBulk } from './bulk-view.ts'

const WHAT = 'bulks of clients'

export const BULK_CHANGES = {
  'note bulk': {
    what: WHAT,
    may: OPERATORS,
    accounts: ({ accountId }) => [accountId],
    // Spends the money of the account, and reaches recipients in its name.
    provenPart: ({ action, test }) => (action === 'start' && !test ? WHAT : null),
    audit: ({ accountId, bulkId, action, facts = {} }) =>
      entry(`bulk ${bulkId} of account ${accountId}`, null, { action, ...facts }),
  },
} satisfies Changes

export const PACE_FIELD = whole({ minimum: 1, maximum: MAX_PACE, description: 'messages per second' })

export const BULK_ENDPOINTS = [
  endpoint({
    name: 'listAllBulks',
    method: 'GET',
    path: '/bulks',
    command: 'bulk list',
    summary: 'list bulks, newest first',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    columns: [
      'bulk',
      'account',
      'test',
      'state',
      'reason',
      'lines',
      'waiting',
      'accepted',
      'estimate',
      'price',
      'currency',
    ],
    query: {
      account: Type.Optional(ACCOUNT),
      test: Type.Optional(Type.Boolean({ description: 'only tests, or only others; both by default' })),
      open: Type.Optional(Type.Boolean({ default: false, description: 'only those that have not ended' })),
      ...PAGING,
    },
    result: pageOf(BulkSummary),
    run: async ({ store }, { account, test, open = false, after = null, most = STANDARD_ROWS }, actor) =>
      pageOfBulks(store, actor, {
        accountId: account === undefined ? null : toAccountId(account),
        ...(test === undefined ? {} : { test }),
        isOpen: open,
        after,
        limit: most,
      }),
  }),
  endpoint({
    name: 'listBulks',
    method: 'GET',
    path: '/accounts/{account}/bulks',
    summary: 'list the bulks of an account, newest first, without those of test keys',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    query: PAGING,
    result: pageOf(BulkSummary),
    run: async ({ store }, { account, after = null, most = STANDARD_ROWS }, actor) =>
      pageOfBulks(store, actor, { accountId: toAccountId(account), test: false, after, limit: most }),
  }),
  endpoint({
    name: 'readBulk',
    method: 'GET',
    path: '/accounts/{account}/bulks/{bulk}',
    command: 'bulk show',
    summary: 'show how far a bulk has come',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: BULK_PATH_FIELDS,
    result: Type.Object({
      ...BulkSummary.properties,
      columns: Type.Array(Type.String(), { description: 'that its lines need: `phone` and the placeholders' }),
    }),
    run: async ({ store }, named, actor) => {
      const bulk = await readNamedBulk(store, named)
      return { ...viewBulk(bulk, actor), columns: [...lineColumnsOf(bulk).required] }
    },
  }),
  endpoint({
    name: 'setBulk',
    method: 'PATCH',
    path: '/accounts/{account}/bulks/{bulk}',
    command: 'bulk set',
    summary: 'change the pace of a bulk that has not ended, also while it runs',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: BULK_PATH_FIELDS,
    body: { pace: PACE_FIELD },
    result: BulkSummary,
    run: ({ store, clock }, { pace, ...named }, actor) =>
      change(store, named, { kind: 'set pace', at: clock.now(), pace }, actor),
  }),
  endpoint({
    name: 'pauseBulk',
    method: 'POST',
    path: '/accounts/{account}/bulks/{bulk}/pause',
    command: 'bulk pause',
    summary: 'pause a bulk; the client can start it again',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: BULK_PATH_FIELDS,
    result: BulkSummary,
    run: ({ store, clock }, named, actor) => {
      const reason = actor.account === null ? 'operator' : 'client'
      return change(store, named, { kind: 'pause', at: clock.now(), reason }, actor)
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
    params: BULK_PATH_FIELDS,
    result: BulkSummary,
    run: async ({ store, clock, live }, named, actor) => {
      const after = await change(store, named, { kind: 'stop', at: clock.now() }, actor)
      if (live === null) return after
      const stopped = await stopBulk(live.operations, await readNamedBulk(store, named), clock.now())
      return stopped === null ? after : viewBulk(stopped, actor)
    },
  }),
]

async function pageOfBulks(store: Store, reader: Actor, query: BulkQuery) {
  const bulks = await store.listBulks(query)
  return {
    data: bulks.map((bulk) => viewBulk(bulk, reader)),
    next: bulks.length < query.limit ? null : (bulks.at(-1)?.id ?? null),
  }
}

type OperatorCommand = Extract<BulkCommand, { kind: 'pause' | 'stop' | 'set pace' }>

async function change(
  store: Store,
  named: NamedBulk,
  command: OperatorCommand,
  actor: Actor,
): Promise<Static<typeof BulkSummary>> {
  const before = await readNamedBulk(store, named)
  const order = { kind: 'command', accountId: before.accountId, bulkId: before.id, command } as const
  const after = await store.bulk(order)
  if (after === null) throw new ChangeRefused(`the bulk is ${before.state}`)
  const facts = command.kind === 'set pace' ? { pace: command.pace } : {}
  await store.change(noteOf(before, command.kind, facts))
  return viewBulk({ ...after, totals: before.totals }, actor)
}

/** Returns what the audit log says of the bulk. */
export function noteOf(
  { accountId, id, test }: Pick<BulkView, 'accountId' | 'id' | 'test'>,
  action: BulkNote['action'],
  facts: BulkNote['facts'] = {},
): BulkNote {
  return { kind: 'note bulk', accountId, bulkId: id, test, action, facts }
}
