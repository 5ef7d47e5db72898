/**
 * Two months of an account that asks over HTTP, with carriers that deliver, refuse and forget: what finance reads over
 * the admin API is what the ledger has, to the millionth.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CARRIER_SCHEMAS, checkCarrierSettings } from '../../src/app/carriers/carrier-drivers.ts'
import { hookGuardOf } from '../../src/app/hooks/hook-guard.ts'
import { Directory } from '../../src/domain/directory/directory.ts'
import { advance } from '../../src/domain/journey/journey.ts'
import type { JourneyEvent, Verdict } from '../../src/domain/message/journey-event.ts'
import type { Message } from '../../src/domain/message/message.ts'
import type { Posting } from '../../src/domain/money/ledger.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import type { Price } from '../../src/domain/money/price.ts'
import { createAdminApi } from '../../src/http/admin/admin-api.ts'
import { BrowserSessions } from '../../src/http/admin/browser-session.ts'
import { LiveEvents } from '../../src/http/admin/live-events.ts'
import { ClientAddresses } from '../../src/http/server/client-address.ts'
import { type HttpServer, startHttpServer } from '../../src/http/server/server.ts'
import { ENDPOINTS } from '../../src/operations/admin/endpoints.ts'
import { addUser, issueToken } from '../../src/operations/admin/users/users.ts'
import type { Page } from '../../src/ports/records/pages.ts'
import { askAdminApi } from '../support/ask-admin-api.ts'
import { buildPrice } from '../support/build-price.ts'
import { ASYNC_PATH, type ClientBench, startClientBench } from '../support/client-bench.ts'
import { call, send } from '../support/operations.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const DAY_MS = 86_400_000
const DAYS = 40
const MICROS = 1_000_000
/** Nothing that is round in cents, so that whatever is rounded on the way shows. */
const PRICES = [
  { channel: 'sms', priceMicros: 49_999 },
  { channel: 'sms', operator: '00102', priceMicros: 61_237 },
  { channel: 'rcs', priceMicros: 33_333 },
  { channel: 'chatapp', priceMicros: 41_011 },
  { channel: 'chatapp', operator: '00102', priceMicros: 7 },
  { channel: 'call', priceMicros: 20_003 },
] as const

type Booked = Posting & { readonly at: number }

let bench: ClientBench
let admin: HttpServer
let token: string
let postings: readonly Booked[]
const luck = new SeededRandom(11)
const chance = (percent: number) => luck.below(100) < percent

const ask = (method: string, path: string, body?: object) =>
  askAdminApi(`${admin.address}/admin/v1${path}`, method, body, { authorization: `Bearer ${token}` })

beforeAll(async () => {
  bench = await startClientBench({ balanceMicros: 5 * MICROS })
  await openAdminApi()
  for (const price of PRICES) await setPrice(price)
  const open: Message[] = []
  for (let day = 0; day < DAYS; day += 1) {
    await business(day)
    open.push(...(await clientsSend()))
    open.splice(0, open.length, ...(await carriersWork(open)))
    bench.clock.advance(DAY_MS)
  }
  postings = await allPostings()
})
afterAll(async () => {
  await admin.stop()
  await bench.stop()
})

async function openAdminApi(): Promise<void> {
  const { store, clock, log } = bench
  const random = new SeededRandom(5)
  await addUser(store, { name: 'flora', role: 'finance', accountId: null })
  token = await issueToken(store, clock, random, { user: 'flora', label: 'office', expiresAt: null })
  const directory = new Directory(await store.loadDirectory())
  const checks = {
    checkSettings: checkCarrierSettings,
    receiptAccounts: () => [],
    carrierSchemas: CARRIER_SCHEMAS,
    hookGuard: hookGuardOf({ hookAllow: [] }),
  }
  const tools = { store, clock, random, log, ...checks, live: null }
  admin = await startHttpServer({ host: '127.0.0.1', port: 0, clock, log })
  const addresses = new ClientAddresses([])
  const around = {
    endpoints: ENDPOINTS,
    addresses,
    liveEvents: new LiveEvents({ clock, snapshots: { restart: () => {}, take: async () => ({}) } }),
    browsers: new BrowserSessions({ origin: null, addresses }),
    providers: () => [],
    publicUrl: null,
    directory: () => directory,
    refresh: async () => {},
  }
  admin.serve(await createAdminApi({ ...tools, ...around, mcpSending: 'none' }))
}

async function setPrice({ priceMicros, ...price }: Omit<Partial<Price>, 'priceMicros'> & { priceMicros: number }) {
  const built = buildPrice({ prefix: '49', ...price, priceMicros: toMicros(priceMicros) })
  await bench.change({ kind: 'set price', price: built })
}

/** Operators' work: a weekly top-up, corrections, refunds, and a price change in the middle of the month. */
async function business(day: number): Promise<void> {
  const account = `/accounts/${bench.accountId}`
  if (day % 7 === 3) await ask('POST', `${account}/top-ups`, { amount: 4.000_019, note: `transfer ${day}` })
  if (day === 10) await ask('POST', `${account}/corrections`, { amount: -1.234_567, note: 'booked twice' })
  if (day === 35) await ask('POST', `${account}/corrections`, { amount: 0.000_003, note: 'a gift' })
  if (day === 12 || day === 36) await refundTheLast()
  if (day === 15) await setPrice({ channel: 'sms', priceMicros: 52_347 })
}

/** Gives back a part of the last charge of a message, and then the rest. */
async function refundTheLast(): Promise<void> {
  const charge = (await allPostings()).find(({ kind }) => kind === 'charge')
  const path = `/messages/${charge?.messageId}/refunds`
  await ask('POST', path, { amount: 0.000_005, note: 'late' })
  await ask('POST', path, { note: 'a complaint' })
}

/** Some of it is not paid for. Returns what was accepted. */
async function clientsSend(): Promise<readonly Message[]> {
  const before = bench.outbox.taken.length
  const kinds = ['sms', 'rcs', 'chatapp', 'rcs+chatapp+sms', 'chatapp+sms']
  const items = Array.from({ length: 12 }, () => {
    const phone = `4917${1_000_000 + luck.below(8_999_999)}${chance(30) ? '07' : '00'}`
    const text = 'A parcel. '.repeat(chance(25) ? 20 : 1)
    return send(kinds[luck.below(kinds.length)] ?? 'sms', { phone, sms_message: text })
  })
  const calls = Array.from({ length: 3 }, () => call({ phone: `4917${1_000_000 + luck.below(8_999_999)}00` }))
  await bench.post([...items, ...calls], { path: ASYNC_PATH })
  return bench.outbox.taken.slice(before)
}

/** Takes each message as far as it comes today, a turn at a time; returns those that are still open. */
async function carriersWork(messages: readonly Message[]): Promise<readonly Message[]> {
  const over: Message[] = []
  let moving = messages
  while (moving.length > 0) {
    const turns = moving.map((message) => {
      const event = nextEvent(message)
      return event === null ? null : advance(message, event)
    })
    over.push(...moving.filter((_, index) => turns[index] === null))
    const made = turns.filter((turn) => turn !== null)
    await bench.store.record(made.map((turn) => ({ turn, held: false, reportsHeld: false, clickedCode: null })))
    moving = made.map(({ message }) => message)
  }
  return over.filter(({ journey }) => journey.phase !== 'ended')
}

/** Null when nothing happens to it today. */
function nextEvent({ plan, journey }: Message): JourneyEvent | null {
  const { step, phase, deadlineAt, steps } = journey
  const at = bench.clock.now() + luck.below(60_000)
  const { channel = 'sms' } = plan[step] ?? {}
  const carrierId = `${channel}-carrier`
  if (phase === 'ended') return null
  if (deadlineAt <= at) return { kind: 'timeout', at }
  if (phase === 'carried') {
    if (chance(20)) return null
    const part = steps[step]?.parts.findIndex(({ state }) => state !== 'delivered') ?? 0
    const outcome = chance(85) ? 'delivered' : 'undeliverable'
    return { kind: 'receipt', at, step, part, carrierId, outcome, detail: outcome }
  }
  const refusal: Verdict = { kind: 'refused', status: 'UNDELIVERABLE', reason: 'not there' }
  const isRefused = chance(20)
  const verdicts = (steps[step]?.parts ?? []).map((_, part): Verdict & { part: number } =>
    isRefused ? { ...refusal, part } : { kind: 'taken', ref: `${luck.below(2 ** 31)}`, part },
  )
  return { kind: 'answered', at, step, carrierId, verdicts, anotherLeft: false, jitter: 0 }
}

async function allPostings(): Promise<readonly Booked[]> {
  const found: Booked[] = []
  let after: number | null = null
  do {
    const page: Page<Booked> = await bench.store.page({
      of: 'postings',
      accountId: bench.accountId,
      after,
      limit: 1_000,
    })
    found.push(...page.rows)
    after = page.next
  } while (after !== null)
  return found
}

const MONTHS = ['2026-01', '2026-02'] as const
const isIn =
  (month: string) =>
  ({ at }: Booked) =>
    new Date(at).toISOString().startsWith(month)
const isBefore =
  (month: string) =>
  ({ at }: Booked) =>
    new Date(at).toISOString() < month
const SIGNS = {
  'top-up': 1,
  'correction up': 1,
  'correction down': -1,
  charge: -1,
  hold: 0,
  release: 0,
  refund: 1,
} as const
const sum = (booked: readonly Booked[], kinds: readonly Posting['kind'][] = Object.keys(SIGNS) as Posting['kind'][]) =>
  booked
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((total, { kind, amountMicros }) => {
      return total + SIGNS[kind] * amountMicros
    }, 0)
/** As a decimal says them. */
const micros = (amount: unknown) => Math.round(Number(amount) * MICROS)

/** Charges as `channel operator messages parts micros`. */
function chargesOf(booked: readonly Booked[]): readonly string[] {
  const charges = booked.filter(({ kind }) => kind === 'charge')
  const groups = Map.groupBy(charges, ({ charge }) => `${charge?.channel} ${charge?.operator}`)
  return [...groups].map(([name, group]) => {
    const parts = group.reduce((total, { charge }) => total + (charge?.parts ?? 0), 0)
    return `${name} ${group.length} ${parts} ${-sum(group)}`
  })
}

test('the world was busy: every kind of posting on every channel and operator', () => {
  expect(new Set(postings.map(({ kind }) => kind))).toEqual(new Set(Object.keys(SIGNS)))
  const lines = chargesOf(postings.filter(isIn('2026-01'))).map((line) => line.split(' ').slice(0, 2).join(' '))
  const channels = ['call 00101', 'chatapp 00101', 'chatapp 00102', 'rcs 00101', 'rcs 00102', 'sms 00101', 'sms 00102']
  expect(lines.toSorted()).toEqual(channels)
  expect(postings.length).toBeGreaterThan(600)
})

describe.each(MONTHS)('the statement of %s', (month) => {
  const path = () => `/accounts/${bench.accountId}/statements/${month}`

  test('equals the postings of the month, altogether and line by line', async () => {
    const { body } = await ask('GET', path())
    const booked = postings.filter(isIn(month))
    const opening = sum(postings.filter(isBefore(month)))
    expect(micros(body['opening'])).toBe(opening)
    expect(micros(body['top_ups'])).toBe(sum(booked, ['top-up']))
    expect(micros(body['corrections'])).toBe(sum(booked, ['correction up', 'correction down', 'refund']))
    expect(micros(body['charges'])).toBe(-sum(booked, ['charge']))
    expect(micros(body['closing'])).toBe(opening + sum(booked))
    const lines = body['lines'] as readonly Readonly<Record<string, unknown>>[]
    const written = lines.map(({ channel, operator, messages, parts, amount }) =>
      [channel, operator, messages, parts, micros(amount)].join(' '),
    )
    expect(written.toSorted()).toEqual(chargesOf(booked).toSorted())
    const payments = body['payments'] as readonly Readonly<Record<string, unknown>>[]
    const personal = sum(booked, ['top-up', 'correction up', 'correction down'])
    expect(payments.reduce((total, { amount }) => total + micros(amount), 0)).toBe(personal)
  })

  test('is the same as a file', async () => {
    const { csv } = (await ask('GET', `${path()}/csv`)).body
    const rows = String(csv).trim().split('\n').slice(1)
    const cells = rows.map((row) => row.split(','))
    const closing = cells.at(-1)
    const amounts = cells.slice(0, -1).map((row) => micros(row[8]))
    const booked = postings.filter(isIn(month))
    expect(amounts.reduce((total, amount) => total + amount, 0)).toBe(micros(closing?.[8]))
    expect(micros(closing?.[8])).toBe(sum(postings.filter(isBefore(month))) + sum(booked))
    const charges = cells.filter(([, , line]) => line === 'charge')
    const written = charges.map(([, , , , channel, operator, messages, parts, amount]) =>
      [channel, operator, messages, parts, -micros(amount)].join(' '),
    )
    expect(written.toSorted()).toEqual(chargesOf(booked).toSorted())
  })
})

test('each month begins with the end of the one before, and the last ends with the balance', async () => {
  const [january, february] = await Promise.all(
    MONTHS.map(async (month) => (await ask('GET', `/accounts/${bench.accountId}/statements/${month}`)).body),
  )
  expect(february?.['opening']).toBe(january?.['closing'])
  const { body } = await ask('GET', `/accounts/${bench.accountId}/balance`)
  expect(micros(body['available']) + micros(body['held'])).toBe(micros(february?.['closing']))
  expect(micros(body['spent'])).toBe(-sum(postings, ['charge', 'refund']))
})

test('the book is right, and a month that is closed says what it said', async () => {
  const path = `/accounts/${bench.accountId}/statements/2026-01`
  const { body: before } = await ask('GET', path)
  expect(before['closed']).toBe(false)
  await bench.store.sweep(bench.clock.now(), { settledKeptDays: 30, inboundKeptDays: 90 })
  expect((await ask('GET', path)).body).toEqual({ ...before, closed: true })
  expect((await ask('GET', '/ledger/faults')).body).toEqual({ data: [] })
})
