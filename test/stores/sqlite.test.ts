/** The embedded store: in the calling thread in memory, and on a file. */
import { spawn, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/domain/accounts/retention.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { hourOf } from '../../src/domain/statistics/message-statistics.ts'
import { StoreError } from '../../src/ports/records/store-errors.ts'
import type { AcceptItem } from '../../src/ports/stores/intake-store.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { toAdmissionOrder } from '../../src/stores/admission/admission-order.ts'
import { Engine, type EngineCommand } from '../../src/stores/sqlite/engine/engine.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { adoptDatabase } from '../../src/stores/sqlite/session/open-database.ts'
import { openVault } from '../../src/stores/vault/open-vault.ts'
import { installFile } from '../conformance/sqlite-file.ts'
import { messageItem, StoreStory } from '../conformance/store/store-story.ts'
import { describeStore } from '../conformance/store.ts'
import { BEGINNING, buildAccount } from '../support/build-message.ts'
import { dumpTables } from '../support/dump-tables.ts'
import { taken } from '../support/make-turn.ts'
import { memoryDatabase } from '../support/memory-database.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

const keys = TEST_KEYS

const openOn = (database: DatabaseSync) => openSqliteStore({ file: ':memory:', keys, inline: true, database })

async function installMemory() {
  const database = memoryDatabase()
  return {
    database,
    open: () => openOn(database),
    openTool: () => openSqliteStore({ file: ':memory:', keys, inline: true, database, role: 'tool' }),
    remove: async () => database.close(),
    dump: () => dumpTables('sqlite', (sql) => database.prepare(sql).all()),
  }
}

describeStore('sqlite', installMemory)

describe('a database file', () => {
  let installation: Awaited<ReturnType<typeof installFile>>
  const open: Store[] = []
  beforeEach(async () => {
    installation = await installFile()
  })
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close()
    await installation.remove()
  })
  const openGateway = async () => {
    const store = await installation.open()
    open.push(store)
    return store
  }

  it('has one gateway, and accepts the next when that is closed', async () => {
    const first = await openGateway()
    await expect(installation.open()).rejects.toThrow(/another gateway runs on .*posthorn\.db/)
    await expect(openSqliteStore({ file: installation.file, keys, inline: true })).rejects.toMatchObject({
      name: 'StoreError',
    })
    await first.close()
    await openGateway()
  })

  it.each(['gateway', 'tool'] as const)(
    'stays locked against other processes when a %s is opened in this one',
    async (role) => {
      await openGateway()
      const second = openSqliteStore({ file: installation.file, keys, role, inline: true })
      await second.then((store) => store.close()).catch(() => {})
      const lock = fileURLToPath(new URL('../../src/stores/sqlite/session/gateway-lock.ts', import.meta.url))
      const script = `import { lockForGateway } from ${JSON.stringify(lock)}; lockForGateway(${JSON.stringify(installation.file)}, 0)`
      const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
      })
      expect(stderr).toMatch(/another gateway runs on/)
      expect(status).toBe(1)
    },
  )

  it('can be created by a tool before the first gateway', async () => {
    const tool = await installation.openTool()
    const { id: _, ...account } = buildAccount()
    await tool.change({ kind: 'create account', account })
    await tool.close()
    expect((await (await openGateway()).loadDirectory()).accounts).toHaveLength(1)
  })

  it('is shared with a tool, which takes nothing over', async () => {
    const gateway = await openGateway()
    const tool = await installation.openTool()
    open.push(tool)
    const { id: _, ...account } = buildAccount()
    const accountId = await tool.change({ kind: 'create account', account })
    expect(await gateway.directoryRevision()).toBe(await tool.directoryRevision())
    expect((await gateway.loadDirectory()).accounts).toMatchObject([{ id: accountId }])
    const changes = Array.from({ length: 20 }, (_, at) => {
      const change = { kind: 'top up', accountId: toAccountId(1), amountMicros: toMicros(1), at } as const
      return (at % 2 === 0 ? gateway : tool).change(change)
    })
    await Promise.all(changes)
    expect(await gateway.balancesOf(toAccountId(1))).toMatchObject({ available: 20 })
    expect(await tool.verifyLedger()).toEqual([])
  })

  it('is readable only by its owner', async () => {
    await openGateway()
    for (const name of ['', '-wal', '.lock']) expect(statSync(installation.file + name).mode & 0o077).toBe(0)
  })

  it('is not touched if a newer Posthorn wrote it', async () => {
    await (await installation.open()).close()
    const database = new DatabaseSync(installation.file)
    database.exec('PRAGMA user_version = 1000')
    database.close()
    for (const role of ['gateway', 'tool'] as const) {
      const opening = openSqliteStore({ file: installation.file, keys, role })
      await expect(opening).rejects.toThrow(/version 1000, .* use a newer Posthorn/)
    }
  })

  it('keeps secrets sealed', async () => {
    const store = await openGateway()
    const { id: _, ...account } = buildAccount({ hookSecrets: ['whsec_plain'] })
    await store.change({ kind: 'create account', account })
    const carrier = { id: 'smsc', channel: 'sms', kind: 'smpp', settings: { password: 'hunter2' } } as const
    await store.change({ kind: 'set carrier', carrier })
    const database = new DatabaseSync(installation.file)
    const rows = database.prepare('SELECT hook_secrets FROM account UNION ALL SELECT settings FROM carrier').all()
    database.close()
    expect(JSON.stringify(rows)).not.toMatch(/whsec_plain|hunter2/)
    expect(rows).toHaveLength(2)
  })

  it('is refused with a reason if it is not a database', async () => {
    await openGateway()
    const file = join(installation.file, 'posthorn.db')
    await expect(openSqliteStore({ file, keys })).rejects.toMatchObject({ name: 'StoreError' })
  })
})

describe('requests of one transaction', () => {
  it('are read by the commands behind them', async () => {
    const story = await StoreStory.begin(installMemory)
    const accountId = await story.account()
    const message = story.message(accountId)
    const [, found] = await Promise.all([
      story.accept(accountId, [messageItem(message)]),
      story.store.findMessages(accountId, [{ messageId: message.id, clientId: null, test: false }]),
    ])
    expect(found.map((each) => each?.id)).toEqual([message.id])
    await story.end()
  })

  it('fail alone if they cannot be written', async () => {
    const story = await StoreStory.begin(installMemory)
    const accountId = await story.account()
    const [one, other] = [story.message(accountId), story.message(accountId)]
    const outcomes = await Promise.allSettled(
      [one, one, other].map((message) => story.accept(accountId, [messageItem(message)])),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await story.store.verifyLedger()).toEqual([])
    await story.end()
  })
})

describe('the engine', () => {
  it('writes nothing of a failed transaction with a command that runs outside of transactions', async () => {
    const database = memoryDatabase()
    const story = await StoreStory.begin(async () => ({ ...(await installMemory()), open: () => openOn(database) }))
    const accountId = await story.account()
    const engine = new Engine(adoptDatabase(database, 'tool'), openVault(keys))
    const message = story.message(accountId)
    const orderOf = (...items: AcceptItem[]) =>
      toAdmissionOrder({ accountId, now: BEGINNING, idempotency: null, items })
    const run = (command: EngineCommand) => engine.run([command])[0]?.[0]
    expect(run(['accept', orderOf(messageItem(message))])).toBe('done')
    expect(run(['accept', orderOf(messageItem(message))])).toBe('failed')
    expect(run(['overwriteLeftovers'])).toBe('done')
    const [first, second] = [story.message(accountId), story.message(accountId)]
    const unlimited = orderOf(messageItem(first), messageItem(second, { counts: [7] }))
    expect(run(['accept', unlimited])).toBe('failed')
    expect(run(['overwriteLeftovers'])).toBe('done')
    expect(await story.store.loadMessages([first.id])).toEqual([])
    expect(await story.store.verifyLedger()).toEqual([])
    await story.end()
    database.close()
  })
})

describe('reports of account events', () => {
  it('are deleted with the reports of the messages around them, those that are settled late as well', async () => {
    const installation = await installMemory()
    const story = await StoreStory.begin(async () => installation)
    const client = await story.account()
    await story.store.reserveIds(100)
    const before = await story.accepted(client)
    const [settled, late] = [story.message(client).id, story.message(client).id]
    for (const messageId of [settled, late]) {
      const report = { messageId, accountId: client, number: 0, address: 'https://client.example', body: '{}' }
      await story.store.writeReport(report, BEGINNING)
    }
    const settle = (messageId: typeof late, at: number) =>
      story.store.settleReports([
        { messageId, number: 0, kind: 'failed', at, dueAt: null, held: false, detail: 'HTTP 500' },
      ])
    await settle(settled, BEGINNING)
    const after = await story.accepted(client)
    for (const message of [before, after]) await story.after(taken(message, [`ref-${message.id}`]))
    const left = () => installation.database.prepare('SELECT msg_id FROM report ORDER BY 1').all()
    const [kept, due] = [BEGINNING + 30 * DAY_MS - 1, BEGINNING + 30 * DAY_MS]
    await story.sweep(kept)
    expect(left()).toEqual([{ msg_id: settled }, { msg_id: late }])
    await story.sweep(due)
    expect(left()).toEqual([{ msg_id: late }])
    await settle(late, due)
    await story.sweep(due)
    expect(left()).toEqual([])
    await story.end()
  })
})

describe('a full disk', () => {
  it('is reported from the first failed write until one succeeds', async () => {
    const installation = await installMemory()
    const { database } = installation
    const store = await installation.open()
    await store.checkWrites()
    database.exec('PRAGMA query_only = ON')
    await store.checkWrites()
    await expect(store.reserveIds(1)).rejects.toThrow(StoreError)
    await expect(store.checkWrites()).rejects.toThrow(StoreError)
    await expect(store.checkWrites()).rejects.toThrow(StoreError)
    database.exec('PRAGMA query_only = OFF')
    await store.checkWrites()
    const { commits } = store.work
    await store.checkWrites()
    expect(store.work.commits).toBe(commits)
    await store.close()
    await installation.remove()
  })

  it('rejects writes, keeps its data, and continues when there is room', async () => {
    const installation = await installMemory()
    const story = await StoreStory.begin(async () => installation)
    const client = await story.account(1e12)
    const kept = await story.accepted(client)
    const { page_count: pages } = installation.database.prepare('PRAGMA page_count').get() as { page_count: number }
    installation.database.exec(`PRAGMA max_page_count = ${pages + 2}`)
    const requests = Array.from({ length: 200 }, () => story.accepted(client))
    const outcomes = await Promise.allSettled(requests)
    expect(outcomes).toContainEqual({ status: 'rejected', reason: new StoreError('database or disk is full') })
    const taken = outcomes.filter(({ status }) => status === 'fulfilled').length
    installation.database.exec('PRAGMA max_page_count = 1000000')
    expect(await story.store.counts()).toMatchObject({ open: 1 + taken })
    expect(await story.store.loadMessages([kept.id])).toEqual([kept])
    await story.accepted(client)
    expect(await story.store.verifyLedger()).toEqual([])
    await story.end()
  })
})

describe('a gateway that is killed', () => {
  it('loses no acknowledged request, and releases its lock to the next', async () => {
    const installation = await installFile()
    const program = fileURLToPath(new URL('../support/accept-forever.ts', import.meta.url))
    const child = spawn(process.execPath, [program, installation.file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const answered: number[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      answered.push(Number(line))
      if (answered.length === 200) child.kill('SIGKILL')
    }
    const store = await openSqliteStore({ file: installation.file, keys, inline: true })
    const claimed = await store.claimDue({ now: BEGINNING, limit: 100_000 })
    expect(claimed.messages.map(({ id }) => id)).toEqual(expect.arrayContaining(answered))
    // It was killed before it summed up any.
    const hour = hourOf(BEGINNING)
    const range = { from: hour, through: hour, source: 'hours', slotHours: null, limit: 10 } as const
    const totals = await store.messageTotals({ ...range, accountId: null, only: {}, by: [] })
    expect(totals.map(({ event, messages }) => [event, messages])).toEqual([['asked', claimed.messages.length]])
    expect(await store.verifyLedger()).toEqual([])
    await store.close()
    await installation.remove()
  })
})

describe('a store that another gateway took over', () => {
  it('writes nothing more', async () => {
    const installation = await installMemory()
    const story = await StoreStory.begin(async () => installation)
    const client = await story.account()
    const paused = story.store
    story.store = await installation.open()
    const request = { accountId: client, now: BEGINNING, idempotency: null }
    const items = [messageItem(story.message(client))]
    await expect(paused.accept({ ...request, items })).rejects.toThrow(/another gateway has taken/)
    expect(await story.store.counts()).toMatchObject({ open: 0 })
    await story.end()
  })

  it('rejects calls after it was closed', async () => {
    const installation = await installMemory()
    const store = await installation.open()
    await store.close()
    await expect(store.counts()).rejects.toMatchObject({ name: 'StoreError' })
    await installation.remove()
  })
})

describe('a forged ledger', () => {
  it.each([
    ['UPDATE account_balance SET available = available + 1, paid = paid - 1', /available, but its postings sum to/],
    [
      'UPDATE account_balance SET available = available - 1, held = held + 1 WHERE account_id = 1',
      /held, but its postings sum to 50000 micros/,
    ],
    ['DELETE FROM account_balance WHERE account_id = 1', /account 1 has no balances\nthere are postings of account 1/],
    ["DELETE FROM posting WHERE kind = 'hold' AND msg_id = 65", /message 65 held 0 micros/],
    ["UPDATE posting SET account_id = 2 WHERE msg_id = 65 AND kind = 'hold'", /65 has postings of another account/],
    ["UPDATE posting SET amount_micros = 9 WHERE kind = 'charge'", /total of charge sms 26201 of account 1 in 2026-01/],
    [
      "UPDATE posting SET operator = '26202' WHERE kind = 'charge'",
      /total of charge sms 26202 of account 1 in 2026-01/,
    ],
    ['UPDATE posting_total SET parts = 7', /the total of charge sms 26201 of account 1 in 2026-01 is not the sum/],
    ["DELETE FROM posting_total WHERE kind = 'top-up'", /the total of top-up of account 1 in 2026-01 is not the sum/],
    [
      'UPDATE closed_month SET closing_micros = 1',
      /statement of account 1 for 2026-01 has changed since it was closed/,
    ],
    ["UPDATE closed_month SET digest = 'x'", /statement of account 1 for 2026-01 has changed since it was closed/],
    ['DELETE FROM due', /is open and will never be due/],
    ['DELETE FROM message WHERE msg_id = 65', /message 65 does not exist, and its postings leave 50000 micros held/],
  ])('is found out: %s', async (forgery, sentence) => {
    const installation = await installMemory()
    const story = await StoreStory.begin(async () => installation)
    const client = await story.account()
    await story.account(0)
    await story.accepted(client)
    await story.after(taken(await story.accepted(client), ['a']))
    await story.sweep(Date.UTC(2026, 2, 1))
    expect(await story.store.verifyLedger()).toEqual([])
    const unlocked = 'DROP TRIGGER posting_stays; DROP TRIGGER posting_remains; PRAGMA foreign_keys = OFF;'
    installation.database.exec(`${unlocked} ${forgery}`)
    expect((await story.store.verifyLedger()).join('\n')).toMatch(sentence)
    await story.end()
  })

  it.each([
    'UPDATE posting SET amount_micros = 1',
    'DELETE FROM posting',
    'UPDATE account_balance SET available = -1, paid = 1',
  ])('is prevented by the database: %s', async (forgery) => {
    const installation = await installMemory()
    const story = await StoreStory.begin(async () => installation)
    await story.account()
    expect(() => installation.database.exec(forgery)).toThrow(/a posting is never|CHECK constraint failed/)
    expect(await story.store.verifyLedger()).toEqual([])
    await story.end()
  })
})
