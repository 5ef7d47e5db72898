/**
 * The SMPP server of two gateways on one PostgreSQL database, by the real clock: what a login may do is counted over
 * both, and what one of them has, the clients of the other one get.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Gateway, startGateway } from '../../../src/app/gateway.ts'
import { readConfig } from '../../../src/app/settings/config.ts'
import { systemClock } from '../../../src/app/system/system-clock.ts'
import { systemRandom } from '../../../src/app/system/system-random.ts'
import type { Login } from '../../../src/domain/accounts/login.ts'
import { toAccountId } from '../../../src/domain/ids/account-id.ts'
import { encodeGsm } from '../../../src/domain/text/gsm-alphabet.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { sandboxLookup } from '../../../src/simulator/lookup/lookup.ts'
import { STATUS } from '../../../src/wire/smpp/command-status.ts'
import { UDH_INDICATOR, writeConcatenation } from '../../../src/wire/smpp/concatenation.ts'
import type { BindCommand, MessageAnswer } from '../../../src/wire/smpp/pdu.ts'
import { buildLogin } from '../../support/build-message.ts'
import { ChildProgram } from '../../support/child-program.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestDatabase } from '../../support/postgres-databases.ts'
import { freePort } from '../../support/postgres-server.ts'
import { SilentLog } from '../../support/silent-log.ts'
import { SmppClient, submitTo } from '../../support/smpp-client.ts'
import { usePostgres } from '../../support/use-postgres.ts'

const PHONE = '37120000000'
const ACCOUNT = toAccountId(1)
const ACCEPTED_AND_DELIVERED = 0x11
const [A, B] = ['a'.repeat(153), 'b'.repeat(10)] as const

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('the SMPP servers of two gateways', () => {
  const tools = { clock: systemClock, random: systemRandom, log: new SilentLog() }
  const clients: SmppClient[] = []
  let dataDir: string
  let database: TestDatabase
  let sandbox: Sandbox
  let first: Gateway
  let second: Gateway
  let logins = 0
  const flags = () => ({
    ...{ database: database.url, 'data-dir': dataDir, port: '0', 'admin-port': '0' },
    ...{ apis: 'json,smpp', 'smpp-port': '0' },
  })
  beforeAll(async () => {
    database = await postgres.takeDatabase({ isNew: true })
    dataDir = mkdtempSync(join(tmpdir(), 'posthorn-nodes-'))
    sandbox = await startSandbox({ ...tools, config: readConfig(flags(), {}) })
    first = sandbox.gateway
    second = await startGateway({ ...tools, config: readConfig(flags(), {}), lookup: sandboxLookup })
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
  })
  afterAll(async () => {
    await second?.stop()
    await sandbox?.stop()
    await database?.giveBack()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** A login of its own for each test. Returns its name. */
  const addLogin = async (change: Partial<Login> = {}): Promise<string> => {
    logins += 1
    const name = `shop${logins}`
    await first.store.change({ kind: 'set client login', login: buildLogin({ accountId: ACCOUNT, name, ...change }) })
    await Promise.all([first.refresh(), second.refresh()])
    return name
  }
  const connect = (gateway: Pick<Gateway, 'smppPort'>) => {
    const client = new SmppClient(gateway.smppPort)
    clients.push(client)
    return client
  }
  const bind = async (
    gateway: Pick<Gateway, 'smppPort'>,
    login: string,
    command?: BindCommand,
  ): Promise<SmppClient> => {
    const client = connect(gateway)
    expect((await client.bind(login, command)).status).toBe(STATUS.ok)
    return client
  }
  const statusAt = async (gateway: Gateway, login: string) => (await connect(gateway).bind(login)).status
  const placesOf = async (login: string) =>
    (await database.query(`SELECT 1 FROM login_place WHERE login = '${login}'`)).length
  const part = (reference: number, number: number, text: string) =>
    submitTo(PHONE, {
      esmClass: UDH_INDICATOR,
      payload: Buffer.concat([writeConcatenation({ reference, total: 2, number }), encodeGsm(text)]),
    })
  const textsTo = (phone: string) => sandbox.box.traffic.to(phone).map(({ text }) => text)

  it('allow as many connections of a login as it may have over both, also when all come at once', async () => {
    const login = await addLogin({ maxBinds: 3 })
    const statuses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => statusAt(index % 2 === 0 ? first : second, login)),
    )
    expect(statuses.filter((status) => status === STATUS.ok)).toHaveLength(3)
    expect(new Set(statuses)).toEqual(new Set([STATUS.ok, STATUS.bindFailed]))
    for (const client of clients.splice(0)) client.close()
    await eventually('the places to be free', async () => (await placesOf(login)) === 0)
    expect(await statusAt(second, login)).toBe(STATUS.ok)
    const other = await addLogin({ maxBinds: 1 })
    expect(await statusAt(first, other)).toBe(STATUS.ok)
  })

  it('count the connections that a login has already once its limit is lowered', async () => {
    const login = await addLogin({ maxBinds: 3 })
    const [lowest] = [await bind(first, login), await bind(second, login), await bind(first, login)]
    await first.store.change({
      kind: 'set client login',
      login: buildLogin({ accountId: ACCOUNT, name: login, maxBinds: 2 }),
    })
    await Promise.all([first.refresh(), second.refresh()])
    lowest?.close()
    await eventually('its place to be free', async () => (await placesOf(login)) === 2)
    expect(await statusAt(second, login)).toBe(STATUS.bindFailed)
  })

  it('show operators the connections of a login to both', async () => {
    const login = await addLogin()
    const [client] = [await bind(first, login), await bind(second, login, 'bind_receiver')]
    const authorization = `Bearer ${sandbox.adminToken}`
    const listed = async ({ adminAddress }: Gateway) => {
      const answer = await fetch(`${adminAddress}/admin/v1/accounts/${ACCOUNT}/binds`, { headers: { authorization } })
      return ((await answer.json()) as { readonly data: readonly Record<string, unknown>[] }).data
    }
    const shown = { login, address: '127.0.0.1', unanswered: 0, bound_at: expect.stringMatching(/^20/) }
    const [here, there] = [first, second].map(({ store }) => store.cluster?.node)
    expect(await listed(second)).toEqual([
      { ...shown, node: there, mode: 'receiver', system_type: '', submitted: 0, delivered: 0 },
      { ...shown, node: here, mode: 'transceiver', system_type: '', submitted: 0, delivered: 0 },
    ])
    await client?.ask<MessageAnswer>(submitTo(PHONE))
    await eventually(
      'what the first one counts, at the second one',
      async () => (await listed(second))[1]?.['submitted'] === 1,
    )
    client?.close()
    await eventually('the end of it', async () => (await listed(second)).length === 1)
  })

  it('bring the receipts of a message to the connection that can receive, in their order, wherever it is', async () => {
    const login = await addLogin()
    const sender = await bind(first, login, 'bind_transmitter')
    const receiver = await bind(second, login, 'bind_receiver')
    const sent = await Promise.all(
      Array.from({ length: 20 }, () =>
        sender.ask<MessageAnswer>(submitTo(PHONE, { registeredDelivery: ACCEPTED_AND_DELIVERED })),
      ),
    )
    await eventually('all receipts', () => receiver.receipts.length === 40)
    for (const { messageId } of sent) {
      expect(receiver.receipts.filter((receipt) => receipt.startsWith(`${messageId} `))).toEqual([
        `${messageId} ACCEPTD`,
        `${messageId} DELIVRD`,
      ])
    }
    expect(sender.delivered).toEqual([])
    expect(await first.store.verifyLedger()).toEqual([])
  })

  it('join the parts of a long message that come over both, once, with a receipt to each', async () => {
    const login = await addLogin()
    const [one, two] = [await bind(first, login), await bind(second, login)]
    const phone = '37120000100'
    const to = { destination: { ton: 1, npi: 1, digits: phone } }
    const ids: string[] = []
    // One after the other, and, of the other messages, both at once.
    ids.push((await one.ask<MessageAnswer>({ ...part(1, 1, A), ...to })).messageId)
    ids.push((await two.ask<MessageAnswer>({ ...part(1, 2, B), ...to })).messageId)
    for (const reference of [2, 3, 4, 5]) {
      const answers = await Promise.all([
        one.ask<MessageAnswer>({ ...part(reference, 2, B), ...to }),
        two.ask<MessageAnswer>({ ...part(reference, 1, A), ...to }),
      ])
      ids.push(...answers.map(({ messageId }) => messageId))
    }
    const receipts = () => [...one.receipts, ...two.receipts]
    await eventually('all receipts', () => receipts().length === ids.length)
    expect(receipts().toSorted()).toEqual(ids.map((id) => `${id} DELIVRD`).toSorted())
    expect(textsTo(phone).toSorted()).toEqual([...Array(5).fill(A), ...Array(5).fill(B)])
    expect(await first.store.oldParts(Number.MAX_SAFE_INTEGER)).toEqual([])
  })

  it('give a part that is repeated over the other one the id that it has', async () => {
    const login = await addLogin()
    const [one, two] = [await bind(first, login), await bind(second, login)]
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : two).ask<MessageAnswer>(part(7, 1, A))),
    )
    expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(1)
    expect(await first.store.oldParts(Number.MAX_SAFE_INTEGER)).toHaveLength(1)
  })

  it('take over the places, the parts and the receipts of one that is killed', async () => {
    const login = await addLogin({ maxBinds: 1 })
    const smppPort = await freePort()
    const words = Object.entries({ ...flags(), 'smpp-port': String(smppPort), 'log-level': 'error' })
    const killed = new ChildProgram(['serve', '--json', ...words.flatMap(([name, value]) => [`--${name}`, value])])
    onTestFinished(() => killed.end())
    await killed.firstAnswer()
    const client = await bind({ smppPort }, login)
    client.answersWith = null
    const whole = await client.ask<MessageAnswer>(submitTo(PHONE))
    await eventually('a receipt without acknowledgement', () => client.receipts.length === 1)
    const begun = await client.ask<MessageAnswer>(part(9, 1, A))
    expect(await statusAt(first, login)).toBe(STATUS.bindFailed)
    killed.end()
    await eventually('the place to be free', async () => (await placesOf(login)) === 0)
    const next = await bind(second, login)
    const ended = await next.ask<MessageAnswer>(part(9, 2, B))
    const known = [whole, begun, ended].map(({ messageId }) => `${messageId} DELIVRD`)
    await eventually('all receipts', () => known.every((receipt) => next.receipts.includes(receipt)))
    expect(next.receipts.toSorted()).toEqual(known.toSorted())
    expect(await first.store.verifyLedger()).toEqual([])
  }, 60_000)
})
