/** How often a batch of commands is written to the connection: each write wakes the server. */
import { Socket } from 'node:net'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OptOutChange } from '../../src/domain/consent/opt-out.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { type BulkId, makeMessageId } from '../../src/domain/ids/message-id.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { UNLIMITED } from '../../src/domain/money/rate.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { EVENT_FEED } from '../../src/domain/reports/event-feed.ts'
import type { RoutingChange } from '../../src/ports/changes/routing-change.ts'
import type { BulkOrder } from '../../src/ports/stores/bulk-store.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import type { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { messageItem, StoreStory } from '../conformance/store/store-story.ts'
import { buildPrice } from '../support/build-price.ts'
import { wrote } from '../support/inbound-arrival.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { CITUS_PORT } from '../support/test-citus.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const REQUESTS = 8
const ORDERS = 100
const BULK = {
  ...{ test: false, clientId: null, message: '{"type":"sms"}', hook: null },
  ...{ currency: 'EUR', pace: 10, createdAt: 1 },
} as const
const PHONE = '4917000001' as Phone
const BLOCK = {
  ...{ first: 1, last: 2, prices: [50], errors: [{ line: 2, cause: { text: 'phone: wrong', field: 'phone' } }] },
  lines: [{ line: 1, phone: PHONE, id: '1', values: {} }],
}
/** Statements beside the commands: of sessions, notifications and the next claim, as they happen to fall. */
const WAKING = 10
const COST = {
  carrierId: 'smsc',
  category: null,
  ...UNLIMITED,
  priceMicros: toMicros(1),
  currency: 'EUR',
} as const
const ROUTE = {
  channel: 'sms',
  carrierId: 'smsc',
  accountId: null,
  sender: null,
  priority: 1,
  operators: null,
  weight: 1,
  poolId: null,
} as const
const LISTED = { list: 'deny', whole: false, note: '' } as const
const ENTRY = { at: 0, actor: 'ann', via: 'admin API', action: 'apply', subject: 'price' } as const

type Write = (this: Socket, ...args: never[]) => void
const METHODS = ['_write', '_writev'] as const

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing || CITUS_PORT !== null)('a batch of commands', () => {
  let database: TestDatabase
  let store: PostgresStore
  let story: StoreStory
  let account: AccountId
  /** What Node hands to the system for connections to the database. */
  let writes = 0
  let statements = 0
  let clock: VirtualClock
  let statementTakesMs = 0
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const sockets = Socket.prototype as unknown as Record<(typeof METHODS)[number], Write>
  const originals = METHODS.map((name) => sockets[name])

  beforeEach(async () => {
    database = await postgres.takeDatabase()
    ;[clock, statementTakesMs] = [new VirtualClock(), 0]
    for (const [index, name] of METHODS.entries()) {
      sockets[name] = function (...args) {
        if (String(this.remotePort) === new URL(database.url).port) writes += 1
        originals[index]?.apply(this, args)
      }
    }
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      statements += 1
      clock.advance(statementTakesMs)
      return query.apply(this, args)
    } as typeof pg.Client.prototype.query
    store = await openPostgresStore({ url: database.url, keys: TEST_KEYS, clock, lanes: 1 })
    story = await StoreStory.begin(async () => ({
      open: async () => store,
      openTool: async () => store,
      remove: async () => {},
    }))
    account = await story.account(1e9)
    // The statements are prepared.
    await accept()
  })
  afterEach(async () => {
    for (const [index, name] of METHODS.entries()) sockets[name] = originals[index] as Write
    pg.Client.prototype.query = query as typeof pg.Client.prototype.query
    await store.close()
    await database.giveBack()
  })

  /** How often the connection is written to: each time the database is waited for, and for the commit. */
  const tripsOf = async (work: () => Promise<unknown>) => {
    const { commits } = store.work
    writes = 0
    await work()
    expect(store.work.commits - commits).toBe(1)
    return writes
  }

  const accept = () =>
    Promise.all(Array.from({ length: REQUESTS }, () => story.accept(account, [messageItem(story.message(account))])))

  it('is written three times: what it reads, new messages, and then all other rows with the commit', async () => {
    writes = 0
    const { commits } = store.work
    await accept()
    expect(store.work.commits - commits).toBe(1)
    expect(writes).toBe(3)
  })

  it('takes no more statements for many accounts than for one, where all buckets are on one server', async () => {
    const accounts: AccountId[] = []
    for (let made = 0; made < REQUESTS; made += 1) accounts.push(await story.account(1e9))
    const acceptOfAll = () =>
      Promise.all(accounts.map((each) => story.accept(each, [messageItem(story.message(each))])))
    await acceptOfAll()
    const counted = async (work: () => Promise<unknown>) => {
      const { commits } = store.work
      statements = 0
      await work()
      expect(store.work.commits - commits).toBe(1)
      return statements
    }
    const ofOne = await counted(accept)
    expect(await counted(acceptOfAll)).toBe(ofOne)
  })

  it('takes no statements of their own for a hundred inbound messages, each answering another one', async () => {
    const carrierId = 'smsc'
    await store.change({ kind: 'set carrier', carrier: { id: carrierId, channel: 'sms', kind: 'smpp', settings: {} } })
    const number = { carrierId, address: '1234', keyword: null, accountId: account, hook: 'https://client.example/in' }
    await store.change({ kind: 'set inbound number', number: { ...number, reply: null, replySender: null } })
    const counted = async (count: number) => {
      const arrivals = Array.from({ length: count }, (_, index) => {
        const quoted = index % 2 === 0 ? {} : { quotes: `ref ${index}` }
        return wrote(`text ${index}`, { carrierId, sender: String(37_120_000_000 + index), ...quoted })
      })
      statements = 0
      await store.recordInbound(arrivals, [])
      return statements
    }
    const ofTwo = await counted(2)
    expect(await counted(100)).toBeLessThan(ofTwo + WAKING)
    expect(await store.inboundOf({ accountId: account, after: null, limit: 500, maxBytes: 1e6 })).toHaveLength(102)
  })

  it('waits once or twice for each of a hundred orders for bulks', async () => {
    const accountId = account
    const ids = Array.from({ length: ORDERS }, (_, index) => makeMessageId(1_000_000 + index, accountId))
    const ofAll = (order: (bulkId: BulkId) => BulkOrder) =>
      tripsOf(() => Promise.all(ids.map((id) => store.bulk(order(id)))))
    const created = await ofAll((id) => ({
      kind: 'create',
      accountId,
      bulk: { ...BULK, id, accountId },
      maxOpen: ORDERS,
    }))
    const filled = await ofAll((bulkId) => ({ kind: 'add lines', accountId, bulkId, block: BLOCK }))
    const stopped = await ofAll((bulkId) => ({ kind: 'command', accountId, bulkId, command: { kind: 'stop', at: 2 } }))
    const erased = await ofAll((bulkId) => ({ kind: 'erase lines', accountId, bulkId, phone: PHONE, after: 0 }))
    expect(await store.listBulks({ accountId, test: false, after: null, limit: 200 })).toHaveLength(ORDERS)
    expect(Math.max(created, filled)).toBeLessThan(ORDERS + WAKING)
    // They read the account that gets the report, and the lines, under the lock of the bulk.
    expect(Math.max(stopped, erased)).toBeLessThan(2 * ORDERS + WAKING)
  })

  it('waits for no order of its own where nothing is read, and once or twice where events are', async () => {
    const numbers = Array.from({ length: ORDERS }, (_, index) => index)
    const ids = numbers.map((index) => makeMessageId(2_000_000 + index, account))
    await Promise.all(
      ids.map((messageId) =>
        store.writeReport({ messageId, number: 0, accountId: account, address: EVENT_FEED, body: '{}' }, 1),
      ),
    )
    const kept = await tripsOf(() => Promise.all(numbers.map((index) => store.keepAnswer('ann', `${index}`, 'done'))))
    const read = await tripsOf(() =>
      Promise.all(ids.map((_, index) => store.acknowledgeEvents({ accountId: account, through: index + 1, at: 2 }))),
    )
    writes = 0
    await store.settleReplies(ids.map((id) => ({ inbound: { id, accountId: account }, reply: 'sent' })))
    expect(Math.max(kept, writes)).toBeLessThan(WAKING)
    expect(read).toBeLessThan(2 * ORDERS + WAKING)
  })

  it('takes no statements of their own for a hundred opt-outs, in one change or in one each', async () => {
    const optOut = (index: number, at: number): OptOutChange => {
      const phone = String(37_120_000_000 + index) as Phone
      return { kind: 'add', optOut: { accountId: account, sender: null, phone, by: 'word', at } }
    }
    const counted = async (changes: readonly OptOutChange[], together: boolean) => {
      const parts = together ? [changes] : changes.map((each) => [each])
      statements = 0
      await Promise.all(parts.map((part) => store.change({ kind: 'change opt-outs', changes: part })))
      return statements
    }
    const phones = Array.from({ length: ORDERS }, (_, index) => index)
    const ofOne = await counted([optOut(ORDERS, 1)], true)
    for (const together of [true, false]) {
      const added = await counted(
        phones.map((index) => optOut(index, 1)),
        together,
      )
      const again = await counted(
        phones.map((index) => optOut(index, 2)),
        together,
      )
      const lifted = phones.map((index): OptOutChange => ({ ...optOut(index, 3), kind: 'remove' }))
      const removed = await counted(lifted, together)
      expect(Math.max(added, again, removed)).toBeLessThan(ofOne + WAKING)
    }
    const page = { of: 'opt-outs', accountId: account, phone: null, after: null, limit: 9 } as const
    expect((await store.page(page)).rows).toMatchObject([{ phone: optOut(ORDERS, 1).optOut.phone, at: 1 }])
  })

  it('takes few statements for a configuration of thousands of items', async () => {
    const carrier = { id: 'smsc', channel: 'sms', kind: 'smpp', settings: {} } as const
    await store.change({ kind: 'set carrier', carrier })
    const prefixes = Array.from({ length: 3_000 }, (_, index) => String(10_000 + index))
    const price = (prefix: string) =>
      ({ kind: 'set price', price: buildPrice({ prefix, accountId: account }) }) as const
    const changes: readonly RoutingChange[] = [
      ...prefixes.map(price),
      ...prefixes.map((prefix) => ({ kind: 'set cost', cost: { ...COST, prefix } }) as const),
      ...prefixes.map((prefix) => ({ kind: 'set route', route: { ...ROUTE, prefix } }) as const),
      ...prefixes.map((digits) => ({ kind: 'list number', number: { ...LISTED, digits } }) as const),
      ...prefixes.map((prefix) => ({ ...price(prefix), kind: 'remove price' }) as const),
      ...prefixes.map((digits) => ({ kind: 'unlist number', number: { ...LISTED, digits } }) as const),
    ]
    const audit = changes.map(() => ({ ...ENTRY, before: null, after: {} }))
    const { revision } = await store.loadDirectory()
    // Longer in all than the patience with a silent server.
    ;[statements, statementTakesMs] = [0, 100]
    await store.change({ kind: 'all', revision, changes }, { revision, entries: audit, request: null })
    statementTakesMs = 0
    // Three slices of each kind, at most two statements each, and 18 slices of audit entries.
    expect(statements).toBeLessThan(80)
    const { prices, costs, routes, listedNumbers } = await store.loadDirectory()
    expect([prices.length, costs.length, routes.length, listedNumbers.length]).toEqual([0, 3_000, 3_000, 0])
  })
})
