/**
 * The queue in front of the SMPP sessions: whatever the clock does between two readings, it never waits without a
 * timer.
 */
import { duplexPair } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { Outbox, type Sent } from '../../src/carriers/smpp/outbox.ts'
import { STATUS } from '../../src/wire/smpp/command-status.ts'
import { Session } from '../../src/wire/smpp/session.ts'
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
  const session = new Session(near, { requested: () => {}, closed: () => {} }, { ...options, clock })
  const peer = new Session(
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

test('tenants take turns where the pace makes submits wait, each in its order', async () => {
  const clock = new VirtualClock()
  const { outbox, close } = connect(clock, 100)
  const sent: string[] = []
  const send = (tenant: number, name: string) =>
    outbox.send({
      pdu: { ...deliverSm(Buffer.from(name)), command: 'submit_sm' },
      tenant,
      maxWaitMs: 60_000,
      anotherLeft: () => false,
      settle: () => sent.push(name),
      late: () => {},
    })
  for (let number = 0; number < 20; number += 1) send(1, `bulk ${number}`)
  send(2, 'code 0')
  send(2, 'code 1')
  while (sent.length < 22) {
    await turnLoop(6)
    const next = clock.nextAt()
    if (sent.length < 22 && next !== null) clock.turnTo(next)
  }
  expect(sent.slice(0, 6)).toEqual(['bulk 0', 'bulk 1', 'code 0', 'bulk 2', 'code 1', 'bulk 3'])
  expect(sent.filter((name) => name.startsWith('bulk'))).toEqual(Array.from({ length: 20 }, (_, n) => `bulk ${n}`))
  close()
})
