/**
 * The other side dies: a gateway as an operator sets it up and starts it, load through its API, and an SMSC that is
 * killed in the middle of it and started again. The gateway runs on without an operator; every message ends, none is
 * lost, and what comes twice is no more than the window that was in flight.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { PhoneArrival } from '../../src/simulator/phones/traffic.ts'
import { ChildProgram } from '../support/child-program.ts'
import { splitWords } from '../support/command-line.ts'
import { HookSink } from '../support/hook-sink.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { KEEPS_FILES, takeStoreOfRun } from '../support/store-of-run.ts'
import { atOnce } from './clients.ts'
import { patiently, within } from './patiently.ts'
import { doublesByLife } from './promises.ts'
import type { LivedArrival } from './surroundings.ts'

const WINDOW = 10
const MESSAGES = 600
const PER_REQUEST = 10
const CLIENTS = 6
/** So many parts after the last kill comes the next. On files the longer row, for each costs seconds of coming back. */
const KILL_AFTER = KEEPS_FILES ? [40, 90, 150] : [90]
/**
 * A part that a killed SMSC took has no receipt: its message ends with its lifetime, which all of the load must fit
 * into.
 */
const LIFETIME_SECONDS = 8 + 8 * KILL_AFTER.length
const AWAY_MS = 1_500

const SET_UP = [
  'init',
  'account create --name Shop --currency EUR',
  'account top-up --account 1 --amount 1000',
  'sender approve --account 1 --channel sms --name Shop',
  'price set --channel sms --price 0.05 --currency EUR',
]

/** The SMSC over all of its lives. */
class MortalSmsc {
  readonly arrivals: LivedArrival[] = []
  port = 0
  life = 0
  #process: ChildProcess | null = null
  #ambush: { readonly at: number; readonly spring: () => void } | null = null

  async start(): Promise<void> {
    this.life += 1
    const { life } = this
    const script = fileURLToPath(new URL('./smsc-process.ts', import.meta.url))
    const child = spawn(process.execPath, [script, String(this.port)], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#process = child
    const ready = Promise.withResolvers<void>()
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said = JSON.parse(line) as PhoneArrival & { readonly port?: number }
      if (said.port === undefined) {
        this.arrivals.push({ ...said, life, cameAt: performance.now() })
        this.#spring()
      } else {
        this.port = said.port
        ready.resolve()
      }
    })
    await within('the SMSC to start', ready.promise)
  }

  /** kill -9 once it has taken so many parts more. */
  async killAfter(parts: number): Promise<void> {
    const sprung = Promise.withResolvers<void>()
    this.#ambush = { at: this.arrivals.length + parts, spring: sprung.resolve }
    await within(`${parts} parts`, sprung.promise)
    await this.kill()
  }

  async kill(): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child === null) return
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
  }

  #spring(): void {
    if (this.#ambush === null || this.arrivals.length < this.#ambush.at) return
    this.#ambush.spring()
    this.#ambush = null
  }
}

let folder: string
let database: TestDatabase | null = null
let smsc: MortalSmsc
let sink: HookSink
let gateway: ChildProgram | null = null

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-smsc-killed-'))
  database = await takeStoreOfRun()
  smsc = new MortalSmsc()
  sink = await HookSink.open(systemClock)
})
afterEach(async () => {
  gateway?.end()
  await gateway?.ended()
  await smsc.kill()
  await sink.close()
  await database?.giveBack()
  rmSync(folder, { recursive: true, force: true })
})

function posthorn(words: readonly string[]): ChildProgram {
  const shared = database === null ? {} : { POSTHORN_DATABASE: database.url }
  return new ChildProgram([...words, '--json'], { POSTHORN_DATA_DIR: join(folder, 'data'), ...shared })
}

/** A command of the operator, which must succeed; its answer. */
async function operate(...words: readonly string[]): Promise<Record<string, unknown>> {
  const command = posthorn(words)
  const answer = await within(words.join(' '), command.firstAnswer())
  expect(await command.ended(), command.err).toBe(0)
  return answer
}

interface Envelope {
  readonly success: boolean
  readonly data: readonly { readonly success: boolean; readonly data: { readonly msg_id: number } }[]
}

interface SentMessage {
  readonly id: number
  readonly phone: string
  readonly text: string
}

/** One request of several messages, some of them of two parts; all must be accepted. */
async function send(address: string, key: unknown, first: number): Promise<readonly SentMessage[]> {
  const asked = Array.from({ length: PER_REQUEST }, (_, index) => ({
    phone: `4917${String(first + index).padStart(6, '0')}00`,
    text: `Parcel ${first + index} ${'comes '.repeat(index % 3 === 0 ? 40 : 1)}today`,
  }))
  const sms = { type: 'sms', sms_signature: 'Shop', sms_lifetime: LIFETIME_SECONDS, hook: sink.address }
  const data = asked.map(({ phone, text }) => ({ ...sms, phone, sms_message: text }))
  const response = await fetch(`${address}/api/json.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: key, data }),
  })
  const answer = (await response.json()) as Envelope
  expect(answer.success && answer.data.every(({ success }) => success), JSON.stringify(answer)).toBe(true)
  return asked.map((each, index) => ({ ...each, id: answer.data[index]?.data.msg_id ?? 0 }))
}

/** The statuses that the client received for each message, each report once. */
function reportedStatuses(): ReadonlyMap<number, readonly string[]> {
  const reports = new Map(sink.calls.map(({ headers, body }) => [headers['webhook-id'], body]))
  const bodies = [...reports.values()].map((body) => JSON.parse(body) as { msg_id: number; status: string })
  return new Map(
    [...Map.groupBy(bodies, (body) => body.msg_id)].map(([id, all]) => [id, all.map((each) => each.status)]),
  )
}

test(`kill -9 of the SMSC ${KILL_AFTER.length} times under load`, { timeout: 240_000 }, async () => {
  await smsc.start()
  for (const command of SET_UP) await operate(...splitWords(command))
  const settings = { host: '127.0.0.1', port: smsc.port, systemId: 'posthorn', password: 'crash', window: WINDOW }
  writeFileSync(join(folder, 'acme.json'), JSON.stringify(settings))
  await operate('carrier', 'add', '--id', 'acme', '--kind', 'smpp', '--settings', join(folder, 'acme.json'))
  const { key } = await operate('key', 'issue', '--account', '1', '--name', 'server')
  const flags = ['--port', '0', '--admin-port', '0', '--log-level', 'error', '--lifetime-min-seconds', '1']
  gateway = posthorn(['serve', ...flags, '--hook-allow', '127.0.0.0/8'])
  const { address = '', admin_address: admin } = await within('the gateway to start', gateway.firstAnswer())

  const sent: SentMessage[] = []
  const starts = Array.from({ length: MESSAGES / PER_REQUEST }, (_, index) => index * PER_REQUEST).values()
  const load = atOnce(CLIENTS, async () => {
    for (const first of starts) sent.push(...(await send(address, key, first)))
  })
  for (const parts of KILL_AFTER) {
    await smsc.killAfter(parts)
    await pause(AWAY_MS)
    await smsc.start()
  }
  await load
  await patiently(() => {
    const ended = reportedStatuses()
    const open = sent.filter(({ id }) => !ended.has(id))
    return open.length === 0 ? null : `${open.length} messages have not ended`
  })

  expect(new Set(sent.map(({ id }) => id)).size).toBe(MESSAGES)
  const statuses = reportedStatuses()
  const byPhone = Map.groupBy(smsc.arrivals, ({ phone }) => phone)
  for (const { id, phone, text } of sent) {
    const arrived = byPhone.get(phone) ?? []
    const letters = [...new Set(arrived.map((part) => part.text))].reduce((sum, part) => sum + part.length, 0)
    expect(letters, `letters of ${text}`).toBe(text.length)
    // A killed SMSC sends no receipts for the messages that it took; all others are delivered.
    const ends = arrived.every(({ life }) => life > KILL_AFTER.length) ? ['DELIVERED'] : ['DELIVERED', 'EXPIRED']
    expect(statuses.get(id), `ends of ${text}`).toHaveLength(1)
    expect(ends).toContain(statuses.get(id)?.[0])
  }
  for (const [life, count] of doublesByLife(smsc.arrivals, 'sms')) {
    expect(count, `sent twice after life ${life} was killed`).toBeLessThanOrEqual(WINDOW)
  }

  const { carriers } = (await (await fetch(`${admin}/carriers`)).json()) as { readonly carriers: readonly object[] }
  expect(carriers).toMatchObject([
    { id: 'acme', up: true, breaker: 'closed', waiting: 0, last_error: expect.any(String) },
  ])
  expect(await operate('account', 'show', '--account', '1')).toMatchObject({ held: 0 })
})
