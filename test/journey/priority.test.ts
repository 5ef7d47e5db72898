/** Codes before notices before bulk, where an SMSC takes 100 messages a second and a mailing waits for it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountId, toAccountId } from '../../src/domain/ids/account-id.ts'
import { beginJourney } from '../../src/domain/message/message.ts'
import type { TrafficClass } from '../../src/domain/message/traffic-class.ts'
import { NO_MONEY } from '../../src/domain/money/money.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import { buildMessage, buildStep } from '../support/build-message.ts'
import { type EventuallyOptions, eventually } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

/** Messages of the mailing: many times those that fit into memory. `npm run check-slow` has a million of them. */
const BACKLOG = Number(process.env['BACKLOG'] ?? '20000')
const HELD = 2_000
const BATCH = 2_000
const TWO_SECONDS = 2_000
/** The clock goes on by no more than a place of the SMSC, so that it does not run away from the store. */
const STEP_MS = 10

let world: SandboxWorld
let steps: EventuallyOptions
/** By phone, when the first message arrived. */
const arrivedAt = new Map<string, number>()
const arrivals: string[] = []
beforeAll(async () => {
  world = await SandboxWorld.start(undefined, undefined, { 'held-messages': String(HELD) })
  steps = { clock: world.clock, stepMs: STEP_MS }
  await world.operate(async (store) => {
    const carrier = (await store.loadDirectory()).carriers.find(({ id }) => id === SANDBOX_CARRIERS.sms)
    if (carrier === undefined) throw new Error('the sandbox has no SMS carrier')
    const settings = { ...(carrier.settings as object), throughput: 100 }
    await store.change({ kind: 'set carrier', carrier: { ...carrier, settings } })
  })
  await world.carriersUp()
  world.box.traffic.onArrival = ({ phone }) => {
    const at = world.clock.now()
    arrivals.push(phone)
    if (!arrivedAt.has(phone)) arrivedAt.set(phone, at)
  }
  await queue(world.accountId, 'bulk', BACKLOG)
}, 600_000)
afterAll(() => world.stop())

/** Leaves messages of a class to the store, as lines of a mailing that found no room in memory. */
async function queue(accountId: AccountId, trafficClass: TrafficClass, count: number): Promise<void> {
  const { store } = world.gateway
  const step = buildStep('sms', { sender: 'SMSTest', priceMicros: NO_MONEY, lifetimeSeconds: 172_800 })
  for (let done = 0; done < count; done += BATCH) {
    const size = Math.min(BATCH, count - done)
    const first = await store.reserveIds(size)
    const createdAt = world.clock.now()
    const items = Array.from({ length: size }, (_, index) => {
      const journey = beginJourney([step], createdAt, { priority: { trafficClass, by: 'request' } })
      const phone = phoneOf(accountId, trafficClass, done + index)
      const message = buildMessage({
        ...{ counter: first + index, accountId, plan: [step], createdAt, journey },
        ...{ phone, hook: null, operator: null },
      })
      return { kind: 'message', message, waits: true, links: [], uniqueId: false } as const
    })
    await store.accept({ accountId, now: createdAt, idempotency: null, items })
  }
  world.gateway.delivery.pump.wake()
}

/** Phones that get what is sent to them. */
function phoneOf(accountId: AccountId, trafficClass: TrafficClass, index: number): Phone {
  return `${phonesOf(accountId, trafficClass)}${1_000_000 + index}02` as Phone
}

/** Where `phonesOf` has the class. */
const CLASS_PLACE = 4

function phonesOf(accountId: AccountId, trafficClass: TrafficClass): string {
  return `49${10 + (accountId % 80)}${trafficClass.length}`
}

/** Returns how many of these arrivals are of mailings: of one account, or of all. */
function countMailed(phones: readonly string[], accountId: AccountId | null = null): number {
  const all = phones.filter((phone) => phone[CLASS_PLACE] === String('bulk'.length))
  return accountId === null ? all.length : all.filter((phone) => phone.startsWith(phonesOf(accountId, 'bulk'))).length
}

async function newAccount(name: string): Promise<{ readonly id: AccountId; readonly key: string }> {
  const operate = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await world.askAdmin(method, path, { body })
    expect(status, `${path}: ${JSON.stringify(answer)}`).toBeLessThan(300)
    return answer as { readonly account: number; readonly key: string }
  }
  const { account } = await operate('POST', '/accounts', { name })
  await operate('POST', `/accounts/${account}/top-ups`, { amount: 50, note: 'test' })
  await operate('POST', '/senders/approve', { account, channel: 'sms', name: 'SMSTest' })
  const { key } = await operate('POST', `/accounts/${account}/keys`, { name: 'server' })
  return { id: toAccountId(account), key }
}

/** Lets so many messages arrive. */
async function arrive(count: number): Promise<void> {
  const until = arrivals.length + count
  await eventually(`${count} arrivals`, () => arrivals.length >= until, steps)
}

/** Sends a code and returns the milliseconds until it arrives. */
async function codeTakes(key: string, phone: string): Promise<number> {
  const sentAt = world.clock.now()
  const item = { type: 'verify/start', phone, channels: ['sms'], sms_signature: 'SMSTest' }
  const answer = await world.post({ auth: key, data: [item] })
  expect(answer.data).toMatchObject([{ success: true }])
  await eventually('the code', () => arrivedAt.has(phone), steps)
  return (arrivedAt.get(phone) ?? Number.NaN) - sentAt
}

test('a code of any account arrives within two seconds, however many messages wait', async () => {
  const other = await newAccount('Other')
  await arrive(150)
  expect(world.gateway.delivery.pump.facts.held).toBeGreaterThanOrEqual(HELD / 4)
  expect(await codeTakes(world.key, '491701250002')).toBeLessThan(TWO_SECONDS)
  expect(await codeTakes(other.key, '491701250102')).toBeLessThan(TWO_SECONDS)
  await queue(other.id, 'bulk', 500)
  await arrive(50)
  expect(await codeTakes(other.key, '491701250202')).toBeLessThan(TWO_SECONDS)
  const { key } = await newAccount('New')
  expect(await codeTakes(key, '491701250302')).toBeLessThan(TWO_SECONDS)
})

test('a hundred codes of one account arrive within two seconds, while three accounts have mailings', async () => {
  for (const name of ['First', 'Second']) await queue((await newAccount(name)).id, 'bulk', 1_000)
  await arrive(150)
  const phones = Array.from({ length: 100 }, (_, index) => `49170125${1_000 + index}02`)
  const sentAt = world.clock.now()
  await world.ask(phones.map((phone) => ({ type: 'verify/start', phone, channels: ['sms'], sms_signature: 'SMSTest' })))
  await eventually('the codes', () => phones.every((phone) => arrivedAt.has(phone)), steps)
  const took = phones.map((phone) => (arrivedAt.get(phone) ?? Number.NaN) - sentAt)
  expect(Math.max(...took)).toBeLessThan(TWO_SECONDS)
})

test('a code from a sender with a rate does not wait for the messages of this sender', async () => {
  const { id, key } = await newAccount('Rated')
  const body = { account: id, channel: 'sms', name: 'SMSTest', per_second: 5 }
  expect((await world.askAdmin('POST', '/senders/approve', { body })).status).toBe(200)
  await queue(id, 'bulk', 1_000)
  await eventually('some of them', () => countMailed(arrivals, id) >= 1, steps)
  expect(await codeTakes(key, '491701250502')).toBeLessThan(TWO_SECONDS)
  // A message that waits in the store finds room in memory that is full of the mailing.
  await queue(id, 'otp', 1)
  const queuedAt = world.clock.now()
  const phone = phoneOf(id, 'otp', 0)
  await eventually('the code', () => arrivedAt.has(phone), steps)
  expect((arrivedAt.get(phone) ?? Number.NaN) - queuedAt).toBeLessThan(TWO_SECONDS)
})

test('a flood of codes leaves a tenth of the places to the mailing, and delays no code of another account', async () => {
  const flooding = await newAccount('Flooding')
  await queue(flooding.id, 'otp', 600)
  await arrive(100)
  const before = arrivals.length
  expect(await codeTakes(world.key, '491701250402')).toBeLessThan(TWO_SECONDS)
  await arrive(300)
  const bulk = countMailed(arrivals.slice(before, before + 300))
  expect(bulk).toBeGreaterThanOrEqual(27)
  // By turns of accounts it would be five of six. A slow store may leave places for more than a tenth.
  expect(bulk).toBeLessThanOrEqual(100)
})
