/** One carrier fails and another takes over; none is there and messages wait: nothing is lost, nothing churns. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Verdict } from '../../src/domain/message/journey-event.ts'
import { buildRoute, CarrierBench } from '../support/carrier-bench.ts'

let bench: CarrierBench
afterEach(() => bench.stop())

describe('a carrier that cannot be reached', () => {
  test('gives its messages to the next at once, and gets them again when it is back', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    bench.carrier('first').says('unreachable')
    const away = await bench.send(3)
    expect(await bench.timelines(away)).toEqual(away.map(() => ['first unreachable', 'second taken']))
    bench.carrier('first').takes()
    const [back = 0 as never] = await bench.send()
    expect(await bench.timeline(back)).toEqual(['first taken'])
  })

  describe.each<[string, Verdict]>([
    ['cannot be reached', { kind: 'unreachable', reason: 'the bind was lost' }],
    ['has no credit left', { kind: 'unreachable', reason: 'no credit', account: true }],
    ['asks to slow down', { kind: 'slow', reason: 'busy', retryAfterMs: 1_000 }],
    ['gives no clear answer', { kind: 'unclear', reason: 'no answer' }],
  ])('after it took a part: it %s', (_, verdict) => {
    async function sendThreeParts() {
      bench = await CarrierBench.start(['first', 'second'])
      bench.carrier('first').answer = (part) => (part === 1 ? { kind: 'taken', ref: 'one' } : verdict)
      const [id = 0 as never] = await bench.send(1, { parts: 3, lifetimeSeconds: 7_200 })
      return id
    }

    test('the others wait for it, and another carrier takes other messages', async () => {
      const id = await sendThreeParts()
      await bench.pass(3_000)
      expect(bench.asked).toMatchObject({ second: 0 })
      bench.carrier('first').takes()
      await bench.pass(700)
      expect(await bench.timeline(id)).toContain('first taken')
      expect(bench.carrier('first').submissions.at(-1)?.parts).toEqual([0, 2])
      const receipt = (ref: string) => ({ carrierId: 'first', ref, outcome: 'delivered', detail: '' }) as const
      await bench.carrier('first').inbox?.receive(['one', `first-${id}-0`, `first-${id}-2`].map(receipt))
      expect(await bench.statuses([id])).toEqual(['DELIVERED'])
      expect(await bench.store.verifyLedger()).toEqual([])
    })

    test('they go on without it once an operator drains it', async () => {
      const id = await sendThreeParts()
      await bench.change({ kind: 'set draining', carrierId: 'first', draining: true })
      await bench.pass(60)
      expect(bench.carrier('second').submissions.map(({ parts }) => parts)).toEqual([[0, 2]])
      expect(await bench.timeline(id)).toContain('second taken')
    })
  })

  test('is asked again after a wait when no other is left', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    for (const carrier of ['first', 'second']) bench.carrier(carrier).says('unreachable')
    const [id = 0 as never] = await bench.send()
    expect(await bench.timeline(id)).toEqual(['first unreachable', 'second unreachable'])
    bench.carrier('first').takes()
    await bench.pass(3)
    expect(await bench.timeline(id)).toEqual(['first unreachable', 'second unreachable', 'first taken'])
  })

  test('is no reason to fail over after an unclear answer', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    bench.carrier('first').says('unclear')
    const [id = 0 as never] = await bench.send()
    await bench.pass(2)
    expect(bench.asked).toEqual({ first: 2, second: 0 })
    expect(await bench.timeline(id)).toEqual(['first unclear', 'first unclear'])
  })
})

describe('a carrier that says that it is down', () => {
  test('is passed over where there is another, without a word on the timeline', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    bench.carrier('first').up = false
    const ids = await bench.send(3)
    expect(await bench.timelines(ids)).toEqual(ids.map(() => ['second taken']))
    expect(bench.asked).toEqual({ first: 0, second: 3 })
  })

  test('at the start, with a backlog, burns no attempt; all of it goes once the bind is up, in order', async () => {
    bench = await CarrierBench.start(['only'], { down: ['only'] })
    const ids = await bench.send(50)
    await bench.pass(20)
    expect(bench.asked).toEqual({ only: 0 })
    expect(bench.delivery.pump.waitingFor('only')).toBe(50)
    bench.carrier('only').up = true
    await bench.pass(1)
    expect(await bench.timelines(ids)).toEqual(ids.map(() => ['only taken']))
    expect(bench.carrier('only').submissions.map(({ messageId }) => messageId)).toEqual(ids)
  })

  test('does not stop the clock: deadlines come while messages wait', async () => {
    bench = await CarrierBench.start(['only'], { down: ['only'] })
    const ids = await bench.send(5)
    await bench.pass(61)
    expect(await bench.statuses(ids)).toEqual(ids.map(() => 'EXPIRED'))
    expect(await bench.timelines(ids)).toEqual(ids.map(() => ['null expired']))
    expect(bench.asked).toEqual({ only: 0 })
    expect(await bench.store.verifyLedger()).toEqual([])
  })

  test('loses what waits for it to another that comes up', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    bench.carrier('first').up = false
    bench.carrier('second').up = false
    const ids = await bench.send(3)
    bench.carrier('second').up = true
    await bench.pass(1)
    expect(await bench.timelines(ids)).toEqual(ids.map(() => ['second taken']))
  })

  test('holds no more than its share of the memory: the rest waits in the store and comes later', async () => {
    bench = await CarrierBench.start(['only'], {
      maxHeld: 20,
      down: ['only'],
    })
    const ids = await bench.send(12, { lifetimeSeconds: 600 })
    expect(bench.delivery.pump.waitingFor('only')).toBe(5)
    expect(bench.delivery.pump.facts.held).toBe(5)
    bench.carrier('only').up = true
    await bench.pass(120)
    expect(await bench.statuses(ids)).toEqual(ids.map(() => 'ACCEPTED'))
    expect(bench.asked).toEqual({ only: 12 })
  })
})

describe('a breaker', () => {
  test('opens after five failures in a row: then nothing is recorded any more, and messages go elsewhere', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    bench.carrier('first').says('unreachable')
    for (let index = 0; index < 5; index += 1) await bench.send()
    expect(bench.delivery.fleet.breakerOf('first')?.state).toBe('open')
    const ids = await bench.send(20)
    expect(await bench.timelines(ids)).toEqual(ids.map(() => ['second taken']))
    expect(bench.asked).toEqual({ first: 5, second: 25 })
  })

  test('lets one probe through after its wait; its failure costs one message one attempt', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    bench.carrier('first').says('unreachable')
    for (let index = 0; index < 5; index += 1) await bench.send()
    await bench.pass(5)
    expect(bench.delivery.fleet.breakerOf('first')?.state).toBe('half-open')
    const ids = await bench.send(10)
    expect(bench.asked['first']).toBe(6)
    expect((await bench.timelines(ids)).flat().filter((entry) => entry === 'second taken')).toHaveLength(10)
    await bench.pass(5)
    expect(bench.delivery.fleet.breakerOf('first')?.state).toBe('open')
    await bench.pass(5)
    bench.carrier('first').takes()
    const [probe = 0 as never, ...rest] = await bench.send(4)
    expect(await bench.timeline(probe)).toEqual(['first taken'])
    expect(bench.delivery.fleet.breakerOf('first')?.state).toBe('closed')
    expect((await bench.timelines(rest)).flat().every((entry) => entry.endsWith(' taken'))).toBe(true)
  })

  test('of the only carrier makes messages wait in line, and lets them go once the probe is answered', async () => {
    bench = await CarrierBench.start(['only'])
    bench.carrier('only').says('unclear')
    const first = await bench.send(5)
    expect(bench.delivery.fleet.breakerOf('only')?.state).toBe('open')
    const waiting = await bench.send(30)
    expect(bench.asked).toEqual({ only: 5 })
    bench.carrier('only').takes()
    await bench.pass(6)
    expect(await bench.timelines(waiting)).toEqual(waiting.map(() => ['only taken']))
    expect(await bench.timelines(first)).toEqual(first.map(() => ['only unclear', 'only taken']))
  })

  test('stays closed over numbers that the carrier bars, which go elsewhere at once', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    const first = bench.carrier('first')
    first.answer = () => ({ kind: 'unreachable', reason: '403 Forbidden', aboutMessage: true })
    const blocked = []
    for (let index = 0; index < 12; index += 1) blocked.push(...(await bench.send()))
    expect(await bench.timelines(blocked)).toEqual(blocked.map(() => ['first unreachable', 'second taken']))
    expect(bench.delivery.fleet.breakerOf('first')?.state).toBe('closed')
    first.answer = () => ({ kind: 'unclear', reason: 'status 0x451', aboutMessage: true })
    await bench.send(12)
    expect(bench.delivery.fleet.breakerOf('first')?.state).toBe('closed')
  })

  test('closes when its probe finds a number blocked: the carrier is there', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    const first = bench.carrier('first')
    first.says('unreachable')
    for (let index = 0; index < 5; index += 1) await bench.send()
    await bench.pass(5)
    expect(bench.delivery.fleet.breakerOf('first')?.state).toBe('half-open')
    first.answer = () => ({ kind: 'unreachable', reason: '403 Forbidden', aboutMessage: true })
    const [id = 0 as never] = await bench.send()
    expect(await bench.timeline(id)).toEqual(['first unreachable', 'second taken'])
    expect(bench.delivery.fleet.breakerOf('first')?.state).toBe('closed')
  })

  test('stays closed over single failures, and over refusals without end', async () => {
    bench = await CarrierBench.start(['only'])
    const only = bench.carrier('only')
    let count = 0
    only.answer = () => {
      count += 1
      if (count % 5 === 0) return { kind: 'refused', status: 'UNDELIVERABLE', reason: 'no such subscriber' }
      return { kind: 'unclear', reason: 'no answer' }
    }
    for (let index = 0; index < 14; index += 1) await bench.send()
    expect(bench.delivery.fleet.breakerOf('only')?.state).toBe('closed')
    expect(bench.asked).toEqual({ only: 14 })
  })
})

describe('a carrier that drains', () => {
  test('takes nothing new, finishes current messages, receives receipts, and continues when resumed', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    const first = bench.carrier('first')
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    first.answer = async (_, { messageId }) => {
      await answered
      return { kind: 'taken', ref: `${messageId}` }
    }
    const [before = 0 as never] = await bench.send()
    await bench.change({ kind: 'set draining', carrierId: 'first', draining: true })
    expect(first.stopped).toBe(0)
    const during = await bench.send(3)
    expect(await bench.timelines(during)).toEqual(during.map(() => ['second taken']))
    answer()
    await bench.rest()
    await first.inbox?.receive([{ carrierId: 'first', ref: `${before}`, outcome: 'delivered', detail: 'DELIVRD' }])
    expect(await bench.timeline(before)).toEqual(['first taken', 'first delivered'])
    await bench.change({ kind: 'set draining', carrierId: 'first', draining: false })
    const [after = 0 as never] = await bench.send()
    expect(await bench.timeline(after)).toEqual(['first taken'])
  })

  test('without another keeps its messages in line until it is resumed', async () => {
    bench = await CarrierBench.start(['only'])
    await bench.change({ kind: 'set draining', carrierId: 'only', draining: true })
    const ids = await bench.send(3)
    await bench.pass(30)
    expect(bench.asked).toEqual({ only: 0 })
    await bench.change({ kind: 'set draining', carrierId: 'only', draining: false })
    expect(await bench.timelines(ids)).toEqual(ids.map(() => ['only taken']))
  })
})

test('routes that change while messages wait show them another way', async () => {
  bench = await CarrierBench.start(['first'])
  bench.carrier('first').up = false
  const ids = await bench.send(3)
  await bench.change(
    { kind: 'set carrier', carrier: { id: 'other', channel: 'sms', kind: 'scripted', settings: {} } },
    { kind: 'set route', route: buildRoute('other', { priority: 9 }) },
    { kind: 'remove route', route: buildRoute('first') },
    { kind: 'remove carrier', carrierId: 'first' },
  )
  expect(await bench.timelines(ids)).toEqual(ids.map(() => ['other taken']))
  expect(bench.carrier('first').stopped).toBe(1)
})

test('routes that change while messages wait for room take those that wait with them, in their order', async () => {
  bench = await CarrierBench.start(['slow', 'other'])
  const { answer } = bench.carrier('slow')
  let release = () => {}
  const hold = new Promise<void>((resolve) => {
    release = resolve
  })
  bench.carrier('slow').answer = async (part, submission) => {
    await hold
    return answer(part, submission)
  }
  const ids = await bench.send(15)
  expect(bench.asked).toEqual({ slow: 10, other: 0 })
  expect(bench.delivery.pump.waitingFor('slow')).toBe(5)
  await bench.change({ kind: 'set route', route: buildRoute('slow', { priority: 50 }) })
  expect(bench.asked).toEqual({ slow: 10, other: 5 })
  expect(bench.carrier('other').submissions.map(({ messageId }) => messageId)).toEqual(ids.slice(10))
  release()
  await bench.rest()
  expect(await bench.timelines(ids)).toEqual(ids.map((_, index) => [index < 10 ? 'slow taken' : 'other taken']))
})
