/**
 * The queue in front of the SMPP sessions: whatever the clock does between two readings, it never waits without a
 * timer.
 */
import { duplexPair } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { Outbox, type Sent } from '../../src/carriers/smpp/outbox.ts'
import { STATUS } from '../../src/wire/smpp/command-status.ts'
import { SmppSession } from '../../src/wire/smpp/session.ts'
import { deliverSm } from '../support/deliver-sm.ts'
import { turnLoop } from '../support/eventually.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

/** Advances by a millisecond at one of its readings, between two instructions of its reader. */
class TickingClock extends VirtualClock {
  reads = 0
  readonly #ticksAt: number

  constructor(ticksAt: number) {
    super()
    this.#ticksAt = ticksAt
  }

  override now(): number {
    return this.#read(super.now())
  }

  override monotonic(): number {
    return this.#read(super.monotonic())
  }

  #read(time: number): number {
    this.reads += 1
    return this.reads >= this.#ticksAt ? time + 1 : time
  }
}

const MESSAGES = 20
const options = { window: 5, peerWindow: 100, responseTimeoutMs: 10_000, enquireLinkMs: null }

/** An outbox with one session, whose peer takes every message at once. The peer has a clock of its own. */
function connect(clock: VirtualClock, throughput: number) {
  const [near, far] = duplexPair()
  const session = new SmppSession(near, { requested: () => {}, closed: () => {} }, { ...options, clock })
  const peer = new SmppSession(
    far,
    {
      requested: (_request, sequence, asked) =>
        asked.answer(sequence, { command: 'submit_sm_resp', status: STATUS.ok, messageId: `${sequence}`, tlvs: [] }),
      closed: () => {},
    },
    { ...options, clock: new VirtualClock() },
  )
  const outbox = new Outbox({
    clock,
    sessions: () => [session],
    throughput,
    maxWaiting: 100,
    lowerShare: 10,
    mayAct: () => true,
    isThrottled: () => false,
    slowed: () => false,
  })
  return { outbox, close: () => [session, peer].map((each) => each.destroy('the test is over')) }
}

/** Sends them, `atOnce` or each after the outcome of the previous one, and moves the clock from timer to timer. */
async function sendAll(clock: VirtualClock, throughput: number, atOnce: boolean): Promise<readonly Sent['kind'][]> {
  const { outbox, close } = connect(clock, throughput)
  const kinds: Sent['kind'][] = []
  const pdu = { ...deliverSm(Buffer.from('hello')), command: 'submit_sm' } as const
  let sent = 0
  const send = () => {
    sent += 1
    outbox.send({
      pdu,
      tenant: 1,
      maxWaitMs: 60_000,
      anotherLeft: () => false,
      maySend: () => true,
      settle: ({ kind }) => {
        kinds.push(kind)
        if (!atOnce && sent < MESSAGES) setImmediate(send)
      },
      late: () => {},
    })
  }
  for (let first = 0; first < (atOnce ? MESSAGES : 1); first += 1) send()
  while (kinds.length < MESSAGES) {
    await turnLoop(6)
    const next = clock.nextAt()
    if (kinds.length < MESSAGES && next !== null) clock.turnTo(next)
  }
  close()
  return kinds
}

// Exactly a millisecond between two submits, a fraction of one, several.
describe.each([1_000, 3_000, 300])(
  'at %d/s a clock that advances at any of its readings stalls nothing',
  (throughput) => {
    test.each([true, false])('sent at once: %s', async (atOnce) => {
      const answered = Array.from({ length: MESSAGES }, () => 'answered')
      const still = new TickingClock(Number.POSITIVE_INFINITY)
      expect(await sendAll(still, throughput, atOnce)).toEqual(answered)
      const stalled: number[] = []
      for (let ticksAt = 1; ticksAt <= still.reads; ticksAt += 1) {
        const kinds = await sendAll(new TickingClock(ticksAt), throughput, atOnce)
        if (kinds.includes('deferred')) stalled.push(ticksAt)
      }
      expect(stalled).toEqual([])
    })
  },
)

/** An account's tenants, one for each traffic class. */
const tenantsOf = (account: number) => [4 * account + 1, 4 * account + 2, 4 * account + 3] as const

/** Submits at 100 a second until all were sent; the names in the order of the carrier's answers. */
async function inOrder(submits: readonly { readonly tenant: number; readonly name: string }[]) {
  const clock = new VirtualClock()
  const { outbox, close } = connect(clock, 100)
  const sent: string[] = []
  for (const { tenant, name } of submits) {
    outbox.send({
      pdu: { ...deliverSm(Buffer.from(name)), command: 'submit_sm' },
      tenant,
      maxWaitMs: 60_000,
      anotherLeft: () => false,
      maySend: () => true,
      settle: () => sent.push(name),
      late: () => {},
    })
  }
  while (sent.length < submits.length) {
    await turnLoop(6)
    const next = clock.nextAt()
    if (sent.length < submits.length && next !== null) clock.turnTo(next)
  }
  close()
  return sent
}

const numbered = (name: string, tenant: number, count: number) =>
  Array.from({ length: count }, (_, number) => ({ tenant, name: `${name} ${number}` }))

test('accounts take turns where the pace makes submits wait, each in its order', async () => {
  const [[, bulk], [, code]] = [tenantsOf(1), tenantsOf(2)]
  const sent = await inOrder([...numbered('bulk', bulk, 20), ...numbered('code', code, 2)])
  expect(sent.slice(0, 6)).toEqual(['bulk 0', 'bulk 1', 'code 0', 'bulk 2', 'code 1', 'bulk 3'])
  expect(sent.filter((name) => name.startsWith('bulk'))).toEqual(Array.from({ length: 20 }, (_, n) => `bulk ${n}`))
})

test('a single submit of another account leaves at once, and the others one place later', async () => {
  const clock = new VirtualClock()
  const { outbox, close } = connect(clock, 100)
  const sent: [name: string, at: number][] = []
  const send = (name: string, tenant: number) =>
    outbox.send({
      pdu: { ...deliverSm(Buffer.from(name)), command: 'submit_sm' },
      tenant,
      maxWaitMs: 60_000,
      anotherLeft: () => false,
      maySend: () => true,
      settle: () => sent.push([name, clock.now()]),
      late: () => {},
    })
  const [[, bulk], [, code], [, other]] = [tenantsOf(1), tenantsOf(2), tenantsOf(3)]
  const startedAt = clock.now()
  for (const { name } of numbered('bulk', bulk, 5)) send(name, bulk)
  for (let millisecond = 0; millisecond <= 60; millisecond += 1) {
    if (millisecond === 14) send('code', code)
    if (millisecond === 15) send('another code', other)
    await turnLoop(6)
    clock.advance(1)
  }
  close()
  expect(sent.map(([name, at]) => [name, at - startedAt])).toEqual([
    ['bulk 0', 0],
    ['bulk 1', 10],
    ['code', 14],
    ['another code', 20],
    ['bulk 2', 40],
    ['bulk 3', 50],
    ['bulk 4', 60],
  ])
})

test('codes of all accounts leave before notices, and each lower class keeps a tenth of the places', async () => {
  const [[otp, transactional, bulk], [otherOtp]] = [tenantsOf(1), tenantsOf(2)]
  const sent = await inOrder([
    ...numbered('bulk', bulk, 20),
    ...numbered('transactional', transactional, 20),
    ...numbered('otp', otp, 20),
    ...numbered('other otp', otherOtp, 20),
  ])
  const early = sent.slice(1, 41)
  const count = (name: string) => early.filter((each) => each.startsWith(`${name} `)).length
  const [codes, otherCodes] = [count('otp'), count('other otp')]
  expect(codes + otherCodes).toBe(33)
  expect(Math.abs(codes - otherCodes)).toBeLessThanOrEqual(1)
  for (const lower of ['transactional', 'bulk']) expect(count(lower)).toBeGreaterThanOrEqual(3)
})
