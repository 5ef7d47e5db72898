/** An installation that has worked goes to PostgreSQL and back, and goes on there as if nothing had been. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { CROSSINGS } from '../../src/stores/move/crossings.ts'
import { nameDatabase } from '../../src/stores/postgres/connection/database-hosts.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { patiently } from '../crash/patiently.ts'
import { BEGINNING, buildAccount, buildMessage } from '../support/build-message.ts'
import { ChildProgram } from '../support/child-program.ts'
import { CommandLine } from '../support/command-line.ts'
import { deliverText } from '../support/deliver-sm.ts'
import { countsOf, fillEmptyTables, rowsOf, tamper } from '../support/moved-rows.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, rcsItem } from '../support/send-items.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

const QUIET = ['--port', '0', '--admin-port', '0', '--json', '--log-level', 'warn']
const ANNA = '37120000100'
const KEYS = TEST_KEYS.kind === 'given' ? TEST_KEYS.keys : ''
const MONTH = '2026-01'

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('an installation', () => {
  let world: SandboxWorld
  let line: CommandLine
  let database: TestDatabase
  beforeEach(async () => {
    database = await postgres.takeDatabase({ isNew: true })
    world = await SandboxWorld.start(undefined, Date.UTC(2026, 0, 30))
    line = new CommandLine()
    line.stopped = new Promise(() => {})
    line.environment = { POSTHORN_DATA_DIR: world.dataDir }
  })
  afterEach(async () => {
    line.close()
    await world.stop()
  })

  const there = () => ['--from', world.dataDir, '--to', database.url]
  const back = (folder: string) => ['--from', database.url, '--to', folder]
  /** A folder with the key alone, as nodes of PostgreSQL have it. */
  const folderWithKey = (name: string) => {
    const folder = line.path(name)
    mkdirSync(folder, { mode: 0o700 })
    copyFileSync(join(world.dataDir, 'secret.key'), join(folder, 'secret.key'))
    return folder
  }

  /** Its visible state, read through the command line. */
  async function seen(place: readonly string[], ids: readonly MessageId[]) {
    const asked = [
      ...ids.map((id) => ['trace', String(id)]),
      ['account', 'list'],
      ['account', 'show', '--account', '1'],
      ['account', 'statement', '--account', '1', '--month', MONTH],
      ['account', 'postings', '--account', '1'],
      ['audit', 'list'],
      ['opt-out', 'list'],
      ['user', 'list'],
      ['inbound', 'list'],
      ['secret-key', 'list'],
      ['ledger', 'verify'],
      ['config', 'export'],
    ]
    const answers: unknown[] = []
    for (const words of asked) {
      const ran = await line.run([...words, ...place, ...(words[0] === 'config' ? [] : ['--json'])])
      expect(ran, words.join(' ')).toMatchObject({ exitCode: 0 })
      answers.push([words.join(' '), ran.out])
    }
    return answers
  }

  async function listInbound(fields: object = {}) {
    const { data } = await world.ask([{ type: 'inbound/list', ...fields }])
    return data?.[0]?.data as unknown as readonly Record<string, unknown>[]
  }

  /** A bit of everything; returns messages, the last of which is planned for later. */
  async function work(): Promise<readonly MessageId[]> {
    const ended = await world.send(
      rcsItem('491701230000', { id: 7 }),
      chainItem('491701230005', { rcs_lifetime: 20 }),
      chainItem('491701230010', { sms_message: 'A long text. '.repeat(60) }),
    )
    await world.ask([{ type: 'call/otp', id: 1, phone: '491701234500' }], { headers: { 'idempotency-key': 'once' } })
    await world.ask([{ type: 'template/create', name: 'code', template: 'Your code is %d' }])
    await world.ask([{ type: 'lookup', phone: '491701234515' }])
    await world.box.smsc.write({ from: ANNA, to: 'SMSTest', text: 'Yes' })
    await world.box.smsc.deliver(deliverText('Hello there'))
    await world.box.smsc.deliver(deliverText('the first half', { reference: 7, total: 2, number: 1 }))
    await world.pass(90)
    await line.ask(['opt-out', 'add', '--account', '1', '--phone', ANNA])
    await line.ask(['user', 'add', '--user', 'eve', '--role', 'auditor'])
    await line.ask(['login', 'add', '--account', '1', '--name', 'shop'])
    await line.ask('notification-target set --name mail --kind email --recipients ops@example.com'.split(' '))
    const sendAt = new Date(world.clock.now() + 600_000).toISOString()
    return [...ended, await world.sendOne(rcsItem('491701230099', { send_at: sendAt }))]
  }

  it('is the same there and back, row by row', async () => {
    const ids = await work()
    // January is closed.
    await world.operate((store) => store.sweep(Date.UTC(2026, 1, 10), { settledKeptDays: 30, inboundKeptDays: 90 }))
    await world.stopGateway()
    fillEmptyTables(join(world.dataDir, 'posthorn.db'))
    const [before, rows] = [await seen(['--data-dir', world.dataDir], ids), rowsOf(world.dataDir)]
    expect(Object.entries(rows).filter(([, each]) => each.length === 0)).toEqual([])

    const moved = await line.run(['move', ...there()])
    expect(moved).toMatchObject({ exitCode: 0, out: expect.stringMatching(/Open messages: 1, pending reports: \d/) })
    expect(await seen(['--database', database.url], ids)).toEqual(before)
    expect(rowsOf(world.dataDir)).toEqual(rows)

    const folder = folderWithKey('back')
    expect(await line.run(['move', ...back(folder)])).toMatchObject({ exitCode: 0 })
    expect(await seen(['--data-dir', folder], ids)).toEqual(before)
    expect(rowsOf(folder)).toEqual(rows)
  }, 120_000)

  it('goes on on PostgreSQL: what is planned is sent, what was asked is answered as before, ids are new', async () => {
    const once = { headers: { 'idempotency-key': 'twice?' } }
    const item = { ...rcsItem('491701230077', { id: 'unique' }), hook: world.sink.address }
    const answer = await world.ask([item], once)
    const ids = await work()
    await world.stopGateway()
    const counts = countsOf(world.dataDir)
    expect(counts.entries).toBeGreaterThan(0)
    await line.ask(['move', ...there()])
    expect(
      await database.query(
        `SELECT sum(messages)::int AS asked FROM message_total WHERE event = 'asked' AND level IN (0, 1, 5)`,
      ),
    ).toEqual([{ asked: counts.messages }])
    await expect(world.startGateway()).rejects.toThrow(/was moved from here to the database .*--undo/)

    await world.startGateway({ database: database.url })
    expect(await world.ask([item], once)).toEqual(answer)
    const [next] = await world.send(rcsItem('491701230088'))
    expect(Number(next)).toBeGreaterThan(Math.max(...ids))
    await world.pass(700)
    expect((await world.story(ids.at(-1) as MessageId)).steps).toEqual(['rcs DELIVERED'])
    expect((await world.story(next as MessageId)).steps).toEqual(['rcs DELIVERED'])
    await world.balances()
    // The half that came before meets the other one, and who has opted out is not written to.
    await world.box.smsc.deliver(deliverText(', and the second', { reference: 7, total: 2, number: 2 }))
    const written = await world.gateway.store.inboundMessages(2)
    expect(written.map(({ text }) => text)).toEqual(['the first half, and the second', 'Hello there'])
    // A client goes on with its list of inbound messages.
    const [listed] = await listInbound()
    expect(listed).toMatchObject({ text: 'Yes', to: 'SMSTest' })
    await world.box.smsc.write({ from: ANNA, to: 'SMSTest', text: 'No' })
    expect(await listInbound({ after: listed?.['inbound_id'] })).toMatchObject([{ text: 'No' }])
    const unwanted = await world.sendOne(rcsItem(ANNA))
    await world.pass(5)
    expect((await world.story(unwanted)).steps).toEqual(['rcs FILTERED'])

    const running = await line.run(['move', ...back(folderWithKey('early'))])
    expect(running).toMatchObject({ exitCode: 1, err: expect.stringMatching(/a gateway or a command is running on/) })
    await world.stopGateway()
    const folder = folderWithKey('back')
    await line.ask(['move', ...back(folder)])
    await world.startGateway({ dataDir: folder })
    expect(await world.ask([item], once)).toEqual(answer)
    const [last] = await world.send(rcsItem('491701230066'))
    expect(Number(last)).toBeGreaterThan(Number(next))
    await world.pass(5)
    expect((await world.story(last as MessageId)).steps).toEqual(['rcs DELIVERED'])
    await world.balances()
  }, 120_000)

  it('can be used again where it was once the move is undone, and the copy no longer', async () => {
    const ids = await work()
    await world.stopGateway()
    await line.ask(['move', ...there()])
    const undone = await line.run(['move', '--undo', ...there()])
    expect(undone).toMatchObject({ exitCode: 0, out: expect.stringMatching(/Do not use the copy in the database/) })
    await expect(world.startGateway({ database: database.url })).rejects.toThrow(/the move from .* to here was undone/)
    await world.startGateway()
    await world.pass(700)
    expect((await world.story(ids.at(-1) as MessageId)).steps).toEqual(['rcs DELIVERED'])
    expect(await line.run(['move', '--undo', ...there()])).toMatchObject({ exitCode: 1 })
  }, 60_000)

  it('stays locked while a gateway runs on the copy, or if nothing is known of the copy', async () => {
    const undo = async (...more: readonly string[]) => {
      const { exitCode, err } = await line.run(['move', '--undo', '--from', world.dataDir, ...more])
      return { exitCode, err }
    }
    const refusal = (why: RegExp) => ({ exitCode: 1, err: expect.stringMatching(why) })
    await work()
    await world.stopGateway()
    await line.ask(['move', ...there()])
    expect(await undo()).toEqual(refusal(/give the place of the database .* with --to/))
    const elsewhere = 'postgres://127.0.0.1:1/x'
    expect(await undo('--to', elsewhere)).toEqual(refusal(/was moved to the database .*, not to the database 127/))
    tamper(world.dataDir, `UPDATE moving SET other = 'the database 127.0.0.1:1/x'`)
    expect(await undo('--to', elsewhere)).toEqual(refusal(/cannot check .* add --yes \(cannot open the database/))
    tamper(world.dataDir, `UPDATE moving SET other = 'the database ${nameDatabase(database.url)}'`)

    await world.startGateway({ database: database.url })
    const running = refusal(/a gateway or a command is running on the database .*: stop it first \(.+\)/)
    expect(await undo('--to', database.url)).toEqual(running)
    expect(await undo('--to', database.url, '--yes')).toEqual(running)
    await world.send(rcsItem('491701230088'))
    await world.stopGateway()
    expect(await undo('--to', database.url)).toEqual(
      refusal(/has worked on the database .* since the move.* add --yes/),
    )
    expect(await undo('--to', database.url, '--yes')).toMatchObject({ exitCode: 0 })
  }, 120_000)

  it('stays locked on PostgreSQL while a gateway runs on the folder that it was moved to', async () => {
    await work()
    await world.stopGateway()
    await line.ask(['move', ...there()])
    const folder = folderWithKey('back')
    await line.ask(['move', ...back(folder)])
    await world.startGateway({ dataDir: folder })
    const undo = () => line.run(['move', '--undo', '--from', database.url])
    expect(await undo()).toMatchObject({ exitCode: 1, err: expect.stringMatching(/a gateway .* is running on .*back/) })
    await world.stopGateway()
    expect(await undo()).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/a gateway or a command has worked on .*back since/),
    })
  }, 120_000)
})

describe.skipIf(postgres.isMissing)('a move', () => {
  let line: CommandLine
  let database: TestDatabase
  let children: ChildProgram[]
  beforeEach(async () => {
    database = await postgres.takeDatabase({ isNew: true })
    line = new CommandLine({ initialized: false })
    line.stopped = new Promise(() => {})
    line.environment = { POSTHORN_SECRET_KEY: KEYS }
    children = []
  })
  afterEach(async () => {
    for (const child of children) await end(child)
    line.close()
  })

  /** As a gateway that was killed has left it, with all of these messages in its hands. */
  async function acceptAndVanish(requests: number): Promise<void> {
    mkdirSync(line.dataDir, { mode: 0o700 })
    const store = await openSqliteStore({ file: join(line.dataDir, 'posthorn.db'), keys: TEST_KEYS, inline: true })
    const { id: _, ...account } = buildAccount()
    const accountId = toAccountId((await store.change({ kind: 'create account', account })) ?? 0)
    await store.change({ kind: 'top up', accountId, amountMicros: toMicros(1e12), at: BEGINNING })
    for (let request = 0; request < requests; request += 1) {
      const items = Array.from({ length: 100 }, (_, place) => {
        const message = buildMessage({ counter: request * 100 + place + 1, accountId })
        return { kind: 'message', message, waits: false, links: [], uniqueId: false } as const
      })
      await store.accept({ accountId, now: BEGINNING, idempotency: null, items })
    }
    await store.close()
  }

  /** Killed when it reports progress of this table. */
  async function moveAndBeKilled(words: readonly string[], table: string): Promise<void> {
    const child = new ChildProgram(['move', ...words], line.environment)
    children.push(child)
    await patiently(() => (child.err.includes(`rows  ${table}\n`) ? null : `the table ${table}: ${child.err}`))
    await end(child)
  }

  it('names the row that PostgreSQL refuses because it has no U+0000', async () => {
    await acceptAndVanish(1)
    const there = ['--from', line.dataDir, '--to', database.url]
    const insert = (digits: string) =>
      tamper(line.dataDir, `INSERT INTO listed_number VALUES ('deny', ${digits}, 0, 'a note')`)
    insert(`'49'`)
    insert(`'4' || char(0) || '9'`)
    expect(await line.run(['move', ...there])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('listed_number has list "deny", digits "4\\u00009", whole 0'),
    })
    tamper(line.dataDir, `DELETE FROM listed_number WHERE digits <> '49'`)
    expect(await line.run(['move', ...there])).toMatchObject({ exitCode: 0 })
  }, 60_000)

  it('that was killed resumes, and both ends stay locked until then', async () => {
    await acceptAndVanish(60)
    const there = ['--from', line.dataDir, '--to', database.url]
    await moveAndBeKilled(there, 'message')
    const places = [
      ['--data-dir', line.dataDir],
      ['--database', database.url],
    ] as const
    for (const place of places) {
      const refused = await line.run(['account', 'list', ...place])
      expect(refused).toMatchObject({
        exitCode: 1,
        err: expect.stringMatching(/was moved from here to|is not finished/),
      })
      const gateway = new ChildProgram(['serve', ...QUIET, ...place], line.environment)
      children.push(gateway)
      expect(await gateway.ended()).toBe(1)
    }
    const went = (await line.ask(['move', ...there])) as {
      rows: number
      open_messages: number
      tables: { rows: number }[]
    }
    const all = went.tables.reduce((sum, { rows }) => sum + rows, 0)
    expect(went.rows).toBeGreaterThan(0)
    expect(went.rows).toBeLessThan(all)
    expect(went.open_messages).toBe(6_000)
    const held = await database.query(
      'SELECT count(*)::int AS count, max(node) AS node, max(due_at)::int AS due FROM due',
    )
    expect(held).toEqual([{ count: went.open_messages, node: 0, due: 0 }])

    const folder = line.path('back')
    const back = ['--from', database.url, '--to', folder]
    await moveAndBeKilled(back, 'posting')
    expect(await line.run(['account', 'list', '--data-dir', folder])).toMatchObject({ exitCode: 1 })
    // A difference is found by the final verification, and the destination stays locked.
    tamper(folder, 'UPDATE posting_total SET amount_micros = amount_micros + 1')
    const wrong = { exitCode: 1, err: expect.stringMatching(/the ledger of .*back has discrepancies\n.+/) }
    expect(await line.run(['move', ...back])).toMatchObject(wrong)
    expect(await line.run(['account', 'list', '--data-dir', folder])).toMatchObject({ exitCode: 1 })
    tamper(folder, 'UPDATE posting_total SET amount_micros = amount_micros - 1')
    const missing = {
      exitCode: 1,
      err: expect.stringMatching(/ is incomplete\nevent has \d+ rows in/),
    }
    tamper(folder, "INSERT INTO event VALUES (1, 0, 0, 0, 'taken', 0, NULL, '')")
    expect(await line.run(['move', ...back])).toMatchObject(missing)
    tamper(folder, 'DELETE FROM event')
    const returned = (await line.ask(['move', ...back])) as { rows: number; open_messages: number }
    expect(returned.rows).toBe(0)
    expect(returned.open_messages).toBe(went.open_messages)
    expect(await line.ask(['ledger', 'verify', '--data-dir', folder])).toEqual({ faults: [] })
  }, 120_000)

  it('that is interrupted says how it goes on', async () => {
    await acceptAndVanish(60)
    const words = ['--from', line.dataDir, '--to', database.url]
    const child = new ChildProgram(['move', ...words], line.environment)
    children.push(child)
    await patiently(() => (child.err.includes('rows  message\n') ? null : `the table message: ${child.err}`))
    child.signal('SIGINT')
    expect(await child.ended()).toBe(1)
    expect(child.err).toMatch(/\nerror: interrupted: run the same command again to resume\n$/)
    const { rows, tables } = (await line.ask(['move', ...words])) as { rows: number; tables: { rows: number }[] }
    expect(rows).toBeGreaterThan(0)
    expect(rows).toBeLessThan(tables.reduce((sum, table) => sum + table.rows, 0))
  }, 60_000)

  it('takes over from a node that was killed on PostgreSQL, and waits until that is sure', async () => {
    line.environment = { ...line.environment, POSTHORN_DATABASE: database.url }
    await line.ask(['init'])
    await line.ask(['account', 'create', '--name', 'Shop'])
    const gateway = new ChildProgram(['serve', ...QUIET], { POSTHORN_DATA_DIR: line.dataDir, ...line.environment })
    children.push(gateway)
    await gateway.firstAnswer()
    const words = ['move', '--from', database.url, '--to', line.path('folder')]
    expect(await line.run(words)).toMatchObject({ exitCode: 1, err: expect.stringMatching(/stop it first/) })
    await end(gateway)
    expect(await database.query('SELECT count(*)::int AS nodes FROM node')).toEqual([{ nodes: 1 }])
    expect(await line.run(words)).toMatchObject({ exitCode: 0 })
    line.environment = { POSTHORN_SECRET_KEY: KEYS }
    expect((await line.run(['account', 'list', '--data-dir', line.path('folder')])).out).toContain('Shop')
  }, 60_000)

  it('keeps of a carrier id that was given out twice the newer message', async () => {
    line.environment = { ...line.environment, POSTHORN_DATABASE: database.url }
    await line.ask(['init'])
    await line.ask(['account', 'create', '--name', 'Shop'])
    await database.query(`INSERT INTO part_ref VALUES (1, 65, 0, 0, 'acme', 'x'), (1, 129, 0, 1, 'acme', 'x')`)
    await line.ask(['move', '--from', database.url, '--to', line.path('folder')])
    const file = new DatabaseSync(join(line.path('folder'), 'posthorn.db'), { readOnly: true })
    expect(file.prepare('SELECT msg_id, part FROM part_ref').all()).toEqual([{ msg_id: 129, part: 1 }])
    file.close()
  })

  it('says what is wrong, and changes nothing', async () => {
    await line.ask(['init'])
    await line.ask(['account', 'create', '--name', 'Shop'])
    const { dataDir } = line
    const nowhere = new URL(database.url)
    nowhere.pathname = '/nowhere'
    const refused = async (from: string, to: string, why: RegExp, environment = line.environment) => {
      const [kept, before] = [line.environment, rowsOf(dataDir)]
      line.environment = environment
      const { exitCode, err } = await line.run(['move', '--from', from, '--to', to])
      line.environment = kept
      expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringMatching(why) })
      expect(err).not.toContain(new URL(database.url).password)
      expect(rowsOf(dataDir)).toEqual(before)
      expect(await line.run(['account', 'list'])).toMatchObject({ exitCode: 0 })
      expect(await database.query(`SELECT count(*)::int AS tables FROM pg_class WHERE relname = 'message'`)).toEqual([
        { tables: 0 },
      ])
    }
    await refused(dataDir, line.path('other'), /one of --from and --to is a data folder/)
    await refused(line.path('missing'), database.url, /there is no installation in .*missing/)
    await refused(database.url, line.path('other'), /there is no installation in the database .*test_\d/)
    await refused(dataDir, nowhere.href, /database "nowhere" does not exist; .*CREATE DATABASE/)
    await refused(dataDir, 'postgres://127.0.0.1:1/x', /cannot open the database: 127\.0\.0\.1:1/)
    await refused(dataDir, database.url, /was sealed with key .*, which is not in/, {
      POSTHORN_SECRET_KEY: 'ab'.repeat(32),
    })
    await refused(dataDir, database.url, /key file .*secret\.key is missing/, {})
    const gateway = await openSqliteStore({ file: join(dataDir, 'posthorn.db'), keys: TEST_KEYS, inline: true })
    await refused(dataDir, database.url, /a gateway or another move is running on .*posthorn\.db: stop it first/)
    await gateway.close()
    expect(existsSync(line.path('other'))).toBe(false)
    expect(await line.run(['move', '--from', dataDir])).toMatchObject({ exitCode: 2 })
    const cutUp = await line.run(['move', '--from', dataDir, '--to', 'postgres://me:gu#ess@host/x'])
    expect(cutUp).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^error: --from and --to: an address must be like/),
    })
    expect(cutUp.err).not.toMatch(/gu|ess@/)
    expect(await line.run(['move', '--undo', '--from', dataDir])).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/was not moved/),
    })
  })

  it('goes nowhere where something is, and not from or to what a newer Posthorn has written', async () => {
    await line.ask(['init'])
    await line.ask(['account', 'create', '--name', 'Shop'])
    const { dataDir } = line
    const move = (from: string, to: string) => line.run(['move', '--from', from, '--to', to])
    const refusal = (why: RegExp) => ({ exitCode: 1, err: expect.stringMatching(why) })
    await line.ask(['init', '--database', database.url])
    await line.ask(['account', 'create', '--name', 'Other', '--database', database.url])
    expect(await move(dataDir, database.url)).toMatchObject(refusal(/already contains an installation/))
    expect(await move(database.url, dataDir)).toMatchObject(refusal(/already contains an installation/))
    const empty = await postgres.takeDatabase({ isNew: true })
    expect(await move(dataDir, empty.url)).toMatchObject({ exitCode: 0 })
    expect(await move(dataDir, empty.url)).toMatchObject(
      refusal(/already contains an installation, and .* was moved there/),
    )
    expect(await move(dataDir, (await postgres.takeDatabase({ isNew: true })).url)).toMatchObject(
      refusal(/was moved to the database .*choose that target, or undo the move/),
    )
    await empty.query(`INSERT INTO moving VALUES (1, 'x', 'in', 'elsewhere', '{"table":0,"after":null,"rows":0}')`)
    expect(await move(dataDir, empty.url)).toMatchObject(
      refusal(/is the target of another unfinished move, from elsewhere/),
    )
    expect(await move(empty.url, line.path('x'))).toMatchObject(refusal(/is incomplete: a move from elsewhere/))
    const undone = await line.run(['move', '--undo', '--from', empty.url])
    expect(undone).toMatchObject(refusal(/is the target of an unfinished move from elsewhere/))
    await empty.query('UPDATE schema_version SET version = 999')
    expect(await move(empty.url, line.path('x'))).toMatchObject(refusal(/use a newer Posthorn/))
    tamper(dataDir, 'PRAGMA user_version = 999')
    expect(await move(dataDir, database.url)).toMatchObject(refusal(/use a newer Posthorn/))
  })

  it('shows how far it has come to who watches', async () => {
    await line.ask(['init'])
    await line.ask(['account', 'create', '--name', 'Shop'])
    line.isWatched = true
    const { err, out } = await line.run(['move', '--from', line.dataDir, '--to', database.url])
    expect(err).toMatch(/\[#+\.+\] +\d+ % {2}\d+ of \d+ rows {2}account/)
    expect(err).not.toContain('\n')
    expect(out).toMatch(new RegExp(`^Moved \\d+ rows of ${CROSSINGS.length} tables`))
  })
})

async function end(child: ChildProgram): Promise<void> {
  child.end()
  await child.ended()
}
