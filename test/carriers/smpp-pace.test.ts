import { afterEach, describe, expect, test } from 'vitest'
import { Pace } from '../../src/carriers/smpp/pace.ts'
import { STATUS } from '../../src/wire/smpp/command-status.ts'
import { eventually, settled, turnLoop } from '../support/eventually.ts'
import { refOf, SmppBench, smsSubmission } from '../support/smpp-bench.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const bench = new SmppBench()

afterEach(() => bench.close())

const texts = (count: number) => Array.from({ length: count }, (_, index) => `Message ${index}`)
const calm = { enquireLinkMs: 3_600_000 }

describe('a throughput limit', () => {
  test('spaces submits evenly, without a burst at the start or after a pause', async () => {
    const { clock, carrier, traffic } = await bench.startBoth({ ...calm, throughput: 10, window: 50 })
    for (let round = 0; round < 2; round += 1) {
      const before = traffic.arrivals.length
      const all = Promise.all(texts(10).map((text) => carrier.submit(smsSubmission(text))))
      for (let sent = 1; sent <= 10; sent += 1) {
        await eventually('the next', () => traffic.arrivals.length === before + sent)
        await turnLoop(20)
        expect(traffic.arrivals).toHaveLength(before + sent)
        clock.advance(99)
        await turnLoop(20)
        expect(traffic.arrivals).toHaveLength(before + sent)
        clock.advance(1)
      }
      for (const verdict of (await all).flat()) refOf(verdict)
      clock.advance(10_000)
    }
    expect(traffic.arrivals.map(({ text }) => text)).toEqual([...texts(10), ...texts(10)])
  })

  test('counts parts, on all binds together', async () => {
    const { clock, carrier, traffic } = await bench.startBoth({ ...calm, throughput: 2, binds: 3 })
    await eventually('three binds', () => carrier.window === 30)
    const verdicts = carrier.submit(smsSubmission('a'.repeat(400), '37120000000', { parts: [0, 1, 2] }))
    await eventually('the first part', () => traffic.arrivals.length === 1)
    clock.advance(500)
    await eventually('the second part', () => traffic.arrivals.length === 2)
    clock.advance(500)
    expect((await verdicts).map(({ kind }) => kind)).toEqual(['taken', 'taken', 'taken'])
  })

  test('limits the window to what can be sent in time', () => {
    const window = (settings: object) => bench.createCarrier(1, new VirtualClock(), settings).carrier.window
    expect(window({ throughput: 1, window: 500 })).toBe(30)
    expect(window({ throughput: 100, window: 500 })).toBe(500)
    expect(window({ throughput: 0, window: 500 })).toBe(1)
  })

  test('keeps a sixteenth of the window for accounts with nothing waiting, unless the window may be the limit', () => {
    const reserved = (settings: object) => bench.createCarrier(1, new VirtualClock(), settings).carrier.reserved
    expect(reserved({ throughput: 100, window: 500 })).toBe(31)
    expect(reserved({ throughput: 100, window: 50, binds: 2 })).toBe(6)
    expect(reserved({ throughput: 100, window: 99 })).toBe(0)
    expect(reserved({ throughput: 5, window: 10 })).toBe(0)
    expect(reserved({ throughput: 0, window: 500 })).toBe(0)
    expect(reserved({ window: 500 })).toBe(0)
  })

  test('does not send what was queued while the process was paused for too long', async () => {
    const { clock, carrier, traffic } = await bench.startBoth({ ...calm, throughput: 10, window: 50 })
    const all = Promise.all(texts(5).map((text) => carrier.submit(smsSubmission(text))))
    await eventually('the first', () => traffic.arrivals.length === 1)
    bench.mayAct = false
    clock.advance(10_000)
    const reason = 'other nodes may have taken over'
    const back = { kind: 'slow', reason, retryAfterMs: null, aboutMessage: true }
    expect((await all).flat().slice(1)).toEqual([back, back, back, back])
    expect(traffic.arrivals).toHaveLength(1)
  })

  test('is kept when the wall clock is set back by an hour, and when it is corrected', async () => {
    const { clock, carrier, traffic } = await bench.startBoth({ ...calm, throughput: 10, window: 50 })
    const all = Promise.all(texts(20).map((text) => carrier.submit(smsSubmission(text))))
    for (let sent = 1; sent <= 20; sent += 1) {
      await eventually('the next', () => traffic.arrivals.length === sent)
      if (sent === 5) clock.setBack(3_600_000)
      if (sent === 15) clock.setBack(-3_600_000)
      await turnLoop(20)
      clock.advance(100)
    }
    for (const verdict of (await all).flat()) refOf(verdict)
  })

  test('of 0 sends nothing and gives that reason', async () => {
    const { carrier, traffic } = await bench.startBoth({ throughput: 0 })
    expect(await carrier.submit(smsSubmission('Hello'))).toEqual([
      { kind: 'slow', reason: 'its throughput is set to 0', retryAfterMs: 60_000, aboutMessage: true },
    ])
    expect(traffic.arrivals).toEqual([])
    expect(carrier.state().up).toBe(true)
  })
})

describe('a carrier that throttles', () => {
  test.each([STATUS.throttled, STATUS.queueFull])(
    'by 0x%s for a while gets all messages in order, without any report of it',
    async (status) => {
      const { clock, carrier, traffic, smsc } = await bench.startBoth({ ...calm, window: 20 })
      smsc.inject({ kind: 'throttling', forMs: 10_000, status })
      const all = Promise.all(texts(20).map((text) => carrier.submit(smsSubmission(text))))
      expect(carrier.state().inFlight).toBe(20)
      const verdicts = await settled('the verdicts', all, clock)
      expect(new Set(verdicts.flat().map(refOf)).size).toBe(20)
      expect(traffic.arrivals.map(({ text }) => text)).toEqual(texts(20))
      expect(carrier.state().inFlight).toBe(0)
    },
  )

  test('gets the next submit after a second although the wall clock was set back by an hour', async () => {
    const { clock, carrier, traffic, smsc } = await bench.startBoth({ ...calm, window: 20 })
    smsc.inject({ kind: 'throttling', forMs: 10_000 })
    const all = Promise.all(texts(20).map((text) => carrier.submit(smsSubmission(text))))
    await turnLoop()
    const setBackAt = clock.monotonic()
    clock.setBack(3_600_000)
    expect(new Set((await settled('the verdicts', all, clock)).flat().map(refOf)).size).toBe(20)
    expect(traffic.arrivals.map(({ text }) => text)).toEqual(texts(20))
    expect(clock.monotonic() - setBackAt).toBeLessThan(60_000)
  })

  test('for longer than the queue time: messages are returned as slow, in bounded time', async () => {
    const { clock, carrier, smsc } = await bench.startBoth({ ...calm, window: 5 })
    smsc.inject({ kind: 'throttling', forMs: 600_000 })
    const startedAt = clock.now()
    const verdicts = await settled(
      'the verdicts',
      Promise.all(texts(5).map((text) => carrier.submit(smsSubmission(text)))),
      clock,
    )
    expect(new Set(verdicts.flat().map((verdict) => JSON.stringify(verdict)))).toEqual(
      new Set([JSON.stringify({ kind: 'slow', reason: 'ESME_RTHROTTLED (0x58)', retryAfterMs: null })]),
    )
    expect(clock.now() - startedAt).toBeLessThanOrEqual(70_000)
  })

  test('is reported each time, and messages with another route are returned once the carrier is degraded', async () => {
    const { clock, carrier, inbox, smsc } = await bench.startBoth({ ...calm, window: 4 })
    smsc.inject({ kind: 'throttling', forMs: 30_000 })
    const elsewhere = { anotherLeft: () => true }
    const stays = carrier.submit(smsSubmission('It has no other way'))
    const goes = Promise.all(['a', 'b'].map((text) => carrier.submit(smsSubmission(text, undefined, elsewhere))))
    await eventually('the third complaint', () => inbox.slowedBy.length === 3, { clock })
    inbox.isDegraded = true
    const slow = { kind: 'slow', reason: 'ESME_RTHROTTLED (0x58)', retryAfterMs: null }
    expect((await settled('what goes', goes, clock)).flat()).toEqual([slow, slow])
    expect(inbox.slowedBy.length).toBeLessThan(6)
    refOf((await settled('what stays', stays, clock))[0])
  })

  test('does not delay a message beyond its lifetime', async () => {
    const { clock, carrier, smsc } = await bench.startBoth(calm)
    smsc.inject({ kind: 'throttling', forMs: 600_000 })
    const startedAt = clock.now()
    const hasty = carrier.submit(smsSubmission('Your code', '37120000000', { lifetimeSeconds: 5 }))
    expect(await settled('the verdict', hasty, clock)).toMatchObject([{ kind: 'slow' }])
    expect(clock.now() - startedAt).toBeLessThanOrEqual(5_000)
  })

  test('does not delay the stop of the carrier', async () => {
    const { clock, carrier, smsc } = await bench.startBoth(calm)
    smsc.inject({ kind: 'throttling', forMs: 600_000 })
    const pending = carrier.submit(smsSubmission('Hello'))
    await turnLoop()
    await settled('the stop', carrier.stop(), clock)
    expect(await pending).toHaveLength(1)
  })
})

describe('the pace', () => {
  /** Returns how many leave in `seconds` at full load. */
  function countIn(pace: Pace, clock: VirtualClock, seconds: number): number {
    const until = clock.now() + seconds * 1_000
    let left = 0
    while (clock.now() < until) {
      while (pace.waitMs === 0 && left < 1_000_000) {
        pace.spend(true)
        left += 1
      }
      clock.advance(Math.max(1, Math.ceil(pace.waitMs)))
    }
    return left
  }

  test('halves once for all submits under way, and recovers after about twenty seconds', () => {
    const clock = new VirtualClock()
    const pace = new Pace(clock, 100)
    expect(countIn(pace, clock, 1)).toBeLessThanOrEqual(103)
    const sentAt = clock.now()
    for (let complaints = 0; complaints < 10; complaints += 1) pace.slowDown(sentAt)
    expect(pace.isSlowed).toBe(true)
    expect(pace.waitMs).toBe(1_000)
    clock.advance(1_000)
    const slow = countIn(pace, clock, 1)
    expect(slow).toBeGreaterThan(40)
    expect(slow).toBeLessThan(70)
    countIn(pace, clock, 20)
    expect(pace.isSlowed).toBe(false)
    expect(countIn(pace, clock, 1)).toBeGreaterThan(95)
  })

  test('without a limit derives one from the throttling, and drops it again', () => {
    const clock = new VirtualClock()
    const pace = new Pace(clock, null)
    for (let sent = 0; sent < 40; sent += 1) pace.spend(false)
    pace.slowDown(clock.now())
    clock.advance(1_000)
    expect(countIn(pace, clock, 1)).toBeLessThan(40)
    countIn(pace, clock, 40)
    expect(pace.isSlowed).toBe(false)
    expect(pace.waitMs).toBe(0)
  })

  test('lets one submit ahead, and those behind it leave one place later', () => {
    const clock = new VirtualClock()
    const pace = new Pace(clock, 100)
    pace.spend(false)
    expect([pace.waitMs, pace.waitAheadMs]).toEqual([10, 0])
    pace.spend(true)
    expect([pace.waitMs, pace.waitAheadMs]).toEqual([20, 10])
    clock.advance(15)
    expect([pace.waitMs, pace.waitAheadMs]).toEqual([5, 0])
    pace.spend(true)
    expect(pace.waitMs).toBe(15)
  })

  test('at 100 a second, with every third submit ahead of the others, no second has more than 103', () => {
    const clock = new VirtualClock()
    const pace = new Pace(clock, 100)
    const times: number[] = []
    const until = clock.now() + 10_000
    while (clock.now() < until) {
      const wait = times.length % 3 === 0 ? pace.waitAheadMs : pace.waitMs
      clock.advance(wait)
      pace.spend(true)
      times.push(clock.now())
    }
    const most = Math.max(...times.map((from, index) => times.slice(index).filter((at) => at < from + 1_000).length))
    expect(most).toBeLessThanOrEqual(103)
    expect(times.length).toBeGreaterThanOrEqual(1_000)
  })

  test.each([
    ['is slow, by no more than a twentieth of a second', 1, [1_000, 950]],
    ['is not limited, at once', null, [0, 0]],
    ['is stopped, never', 0, [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]],
  ])('lets a submit ahead where it %s', (_where, limit, waits) => {
    const pace = new Pace(new VirtualClock(), limit)
    pace.spend(false)
    expect([pace.waitMs, pace.waitAheadMs]).toEqual(waits)
  })

  test('lets none ahead while the carrier throttles', () => {
    const clock = new VirtualClock()
    const pace = new Pace(clock, 100)
    pace.spend(false)
    pace.slowDown(clock.now())
    expect([pace.waitMs, pace.waitAheadMs]).toEqual([1_000, 1_000])
  })

  test('never drops to zero', () => {
    const clock = new VirtualClock()
    const pace = new Pace(clock, 100)
    for (let complaints = 0; complaints < 100; complaints += 1) {
      clock.advance(pace.waitMs)
      pace.spend(true)
      pace.slowDown(clock.now())
      expect(pace.waitMs).toBeLessThanOrEqual(2_000)
    }
  })
})
