/**
 * An installation made from a kannel.conf relays for Kannel: bearerbox is bound to our SMPP server, two SMSCs take the
 * messages, one of them begins to fail in mid-run, and the gateway is killed twice. Every receipt comes back over the
 * bind, the ledger is exact, and what arrives twice is within the windows. `MESSAGES=100000` for a run by hand.
 */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { systemRandom } from '../../src/app/system/system-random.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import { type Smsc, startSmsc } from '../../src/simulator/smpp/smsc.ts'
import { GatewayProcess } from '../crash/gateway-process.ts'
import { patiently } from '../crash/patiently.ts'
import { sqlitePlace } from '../crash/place.ts'
import { CommandLine } from '../support/command-line.ts'
import { DebianProgram, findProgram } from '../support/debian-program.ts'
import { freePort } from '../support/postgres-server.ts'
import { writeKannelConfig } from './kannel-config.ts'

const BEARERBOX = findProgram('bearerbox', 'kannel')
const SMSBOX = findProgram('smsbox', 'kannel')

const MESSAGES = Number(process.env['MESSAGES'] ?? '1000')
const AT_ONCE = 16
/** Of Kannel to the gateway, and of each carrier of the gateway. */
const WINDOW = 10
const KILLS = 2
const TOP_UP = 100_000
const PRICE_MICROS = 50_000
const SYSTEM_ERROR = 0x08
const FOREVER_MS = 3_600_000
/** Without any receipt, the run has failed. */
const START_MS = 90_000
const MAX_SILENCE_MS = 60_000

/** Kannel cuts passwords of a bind after eight characters. */
const LOGIN = { systemId: 'relay', password: 'relay-pw' }
const SMSC_LOGIN = { systemId: 'posthorn', password: 'smsc' }

/** As it was before the move: two carriers and one user. */
function oldConfig(ports: readonly number[]): string {
  const carriers = ports.map(
    (port, index) =>
      `group = smsc\nsmsc = smpp\nsmsc-id = smsc${index}   # one of two\nhost = 127.0.0.1\nport = ${port}\n` +
      `\ntransceiver-mode = true\nsmsc-username = '${SMSC_LOGIN.systemId}'\nsmsc-password = ${SMSC_LOGIN.password}\n` +
      `system-type = ""\nmax-pending-submits = ${WINDOW}\n`,
  )
  const user = `group = sendsms-user\nusername = ${LOGIN.systemId}\npassword = ${LOGIN.password}\nuser-deny-ip = "*.*.*.*"\nuser-allow-ip = "127.0.0.1"\ndefault-sender = Kannel\n`
  return [...carriers, user].join('\n')
}

/** The callbacks of smsbox: how often each phone's message was reported as delivered or not. */
class Callbacks {
  readonly delivered = new Map<string, number>()
  readonly failed = new Map<string, number>()
  readonly #server: Server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://sink').searchParams
    const counts = query.get('state') === '1' ? this.delivered : this.failed
    const phone = query.get('phone') ?? ''
    counts.set(phone, (counts.get(phone) ?? 0) + 1)
    response.end()
  })

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  address(phone: string): string {
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}/?phone=${phone}&state=%d`
  }

  /** Rejects after a minute without news. */
  async untilDelivered(count: number, why: () => string): Promise<void> {
    let [seen, since] = [-1, performance.now()]
    while (this.delivered.size < count) {
      if (this.delivered.size !== seen) [seen, since] = [this.delivered.size, performance.now()]
      if (performance.now() - since > MAX_SILENCE_MS) throw new Error(`${seen} of ${count} receipts: ${why()}`)
      await pause(25)
    }
  }

  close(): void {
    this.#server.close()
  }
}

describe.skipIf(BEARERBOX === null || SMSBOX === null)('Kannel, bound to the SMPP server', () => {
  const line = new CommandLine()
  const boxes = [new DebianProgram(FOREVER_MS), new DebianProgram(FOREVER_MS)] as const
  const callbacks = new Callbacks()
  const traffics = [new PhoneTraffic(4 * MESSAGES), new PhoneTraffic(4 * MESSAGES)]
  let smscs: readonly Smsc[] = []
  let gateway: GatewayProcess
  let sendPort = 0

  beforeAll(async () => {
    await callbacks.open()
    const tools = { clock: systemClock, random: systemRandom, ...SMSC_LOGIN }
    smscs = await Promise.all(traffics.map((traffic) => startSmsc({ ...tools, traffic })))
    await setUp()
    const smppPort = await freePort()
    gateway = await GatewayProcess.make({
      POSTHORN_DATA_DIR: line.dataDir,
      POSTHORN_APIS: 'json,smpp',
      POSTHORN_SMPP_PORT: String(smppPort),
    })
    await gateway.start()
    await startKannel(smppPort)
  }, START_MS)

  afterAll(async () => {
    for (const box of boxes) await box.stop()
    gateway.kill()
    await gateway.buried()
    for (const smsc of smscs) await smsc.stop()
    callbacks.close()
    line.close()
  })

  function why(): string {
    return `${gateway.lastWords}\n${boxes[0].said.slice(-3_000)}`
  }

  async function setUp(): Promise<void> {
    const file = line.path('kannel.conf')
    writeFileSync(file, oldConfig(smscs.map(({ port }) => port)))
    await line.ask(['account', 'create', '--name', 'Wholesale'])
    await line.ask(['account', 'top-up', '--account', '1', '--amount', String(TOP_UP)])
    await line.ask([
      'price',
      'set',
      '--channel',
      'sms',
      '--price',
      String(PRICE_MICROS / 1_000_000),
      '--currency',
      'EUR',
    ])
    const { not_translated: notes } = await line.ask(['import', file, '--account', '1', '--apply'])
    expect(notes).toStrictEqual([])
  }

  async function startKannel(smscPort: number): Promise<void> {
    const [adminPort, boxPort] = [await freePort(), await freePort()]
    sendPort = await freePort()
    const config = writeKannelConfig({ smscPort, adminPort, boxPort, sendPort, ...LOGIN })
    const [bearerbox, smsbox] = boxes
    for (const { folder } of boxes) writeFileSync(join(folder, 'kannel.conf'), config)
    bearerbox.start(BEARERBOX ?? '', ['-v', '2', 'kannel.conf'])
    await bearerbox.listens('tcp', boxPort)
    smsbox.start(SMSBOX ?? '', ['-v', '2', 'kannel.conf'])
    await smsbox.listens('tcp', sendPort)
    await patiently(async () => {
      const status = await fetch(`http://127.0.0.1:${adminPort}/status.txt`)
      const text = await status.text()
      return text.includes('(online ') ? null : `the bind of Kannel: ${text}\n${why()}`
    })
  }

  async function send(index: number): Promise<void> {
    const phone = `4917${String(index).padStart(7, '0')}00`
    const query = new URLSearchParams({
      ...{ username: 'user', password: 'user', from: 'Kannel', to: phone, text: `Parcel ${index}` },
      ...{ 'dlr-mask': '3', 'dlr-url': callbacks.address(phone) },
    })
    const answer = await fetch(`http://127.0.0.1:${sendPort}/cgi-bin/sendsms?${query}`)
    expect(await answer.text()).toMatch(/^[03]: /)
  }

  async function sendAll(): Promise<void> {
    let next = 0
    const sendOnes = async () => {
      while (next < MESSAGES) await send(next++)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sendOnes))
  }

  async function killAndStart(): Promise<void> {
    gateway.kill()
    await gateway.buried()
    await gateway.start()
  }

  test('loses no message and no receipt, and the ledger is exact', { timeout: FOREVER_MS }, async () => {
    const sent = sendAll()
    // Its error is that of the wait for the receipts, or of the await below.
    sent.catch(() => {})
    await callbacks.untilDelivered(0.2 * MESSAGES, why)
    await killAndStart()
    await callbacks.untilDelivered(0.4 * MESSAGES, why)
    smscs[1]?.inject({ kind: 'throttling', forMs: FOREVER_MS, status: SYSTEM_ERROR })
    await callbacks.untilDelivered(0.6 * MESSAGES, why)
    await killAndStart()
    await sent
    await callbacks.untilDelivered(MESSAGES, why)

    expect([...callbacks.delivered.values()].filter((count) => count !== 1)).toStrictEqual([])
    expect(callbacks.failed.size).toBe(0)
    const [steady = 0, failing = 0] = traffics.map(({ arrivals }) => arrivals.length)
    expect(failing).toBeGreaterThan(0.1 * MESSAGES)
    expect(steady).toBeGreaterThan(failing)
    const phones = traffics.flatMap(({ arrivals }) => arrivals.map(({ phone }) => phone))
    expect(new Set(phones).size).toBe(MESSAGES)
    const doubles = phones.length - MESSAGES
    console.log(`${MESSAGES} messages, ${doubles} arrived twice`)
    expect(doubles).toBeLessThanOrEqual(KILLS * (WINDOW + smscs.length * WINDOW))
    await expectExactLedger()
  })

  /** What Kannel sent again because of a kill is a message of its own, which is charged. */
  async function expectExactLedger(): Promise<void> {
    await gateway.terminate()
    const place = sqlitePlace(line.dataDir)
    const charged = toMicros((await place.messageIds()).length * PRICE_MICROS)
    await line.withStore(async (store) => {
      expect(await store.verifyLedger()).toStrictEqual([])
      expect(await store.counts()).toMatchObject({ open: 0, pendingReports: 0, failedReports: 0 })
      const available = toMicros(TOP_UP * 1_000_000 - charged)
      expect(await store.balancesOf(toAccountId(1))).toMatchObject({ available, held: 0, earned: charged })
    })
  }
})
