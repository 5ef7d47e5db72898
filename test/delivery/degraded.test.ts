/**
 * A carrier asks to slow down and goes on asking: what has another way takes that, and what has none is kept and
 * retried.
 */
import { afterEach, describe, expect, test } from 'vitest'
import { STATUS } from '../../src/wire/smpp/command-status.ts'
import { CarrierBench } from '../support/carrier-bench.ts'
import { eventually } from '../support/eventually.ts'
import { SmppBench } from '../support/smpp-bench.ts'

let bench: CarrierBench
const smpp = new SmppBench()

afterEach(async () => {
  await bench.stop()
  await smpp.close()
})

const viewOf = (id: string) => bench.delivery.viewCarriers().find((carrier) => carrier.id === id)
const warnings = () => bench.log.lines.filter(({ level, fields }) => level === 'warn' && fields['carrier'] === 'first')

describe('a carrier that answers nothing but "slow"', () => {
  test('loses all messages to the next after five answers; it is shown and logged once', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    bench.carrier('first').says('slow')
    const since = bench.clock.now()
    const ids = await bench.send(10)
    await bench.pass(2)
    expect(await bench.statuses(ids)).toEqual(ids.map(() => 'ACCEPTED'))
    expect(bench.asked).toEqual({ first: 10, second: 10 })
    expect(viewOf('first')).toMatchObject({ up: true, breaker: 'open', degraded: { since, reason: 'first is slow' } })
    expect(viewOf('second')).toMatchObject({ breaker: 'closed', degraded: null })
    const later = await bench.send(20)
    expect(await bench.timelines(later)).toEqual(later.map(() => ['second taken']))
    await bench.pass(30)
    expect(warnings()).toMatchObject([{ fields: { reason: 'first is slow' } }])
  })

  test('loses them after some seconds too, when there are few', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    bench.carrier('first').says('slow')
    const [id = 0 as never] = await bench.send()
    await bench.pass(10)
    expect((await bench.timeline(id)).at(-1)).toBe('second taken')
    expect(bench.asked['second']).toBe(1)
  })

  test('is probed by one message at a time, and gets all of them again when it takes that', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    bench.carrier('first').says('slow')
    await bench.send(10)
    await bench.pass(5)
    const [probe = 0 as never, ...rest] = await bench.send(5)
    expect(await bench.timeline(probe)).toEqual(['first slow', 'second taken'])
    expect(await bench.timelines(rest)).toEqual(rest.map(() => ['second taken']))
    await bench.pass(10)
    bench.carrier('first').takes()
    await bench.send()
    expect(viewOf('first')).toMatchObject({ breaker: 'closed', degraded: null })
    const [back = 0 as never] = await bench.send()
    expect(await bench.timeline(back)).toEqual(['first taken'])
  })

  test('keeps what has no other way, records nothing while that waits, and gets it when it takes again', async () => {
    bench = await CarrierBench.start(['only'])
    bench.carrier('only').says('slow')
    await bench.send(10, { lifetimeSeconds: 600 })
    const waiting = await bench.send(30, { lifetimeSeconds: 600 })
    await bench.pass(40)
    expect(await bench.statuses(waiting)).toEqual(waiting.map(() => 'QUEUED'))
    const entries = (await bench.timelines(waiting)).flat()
    expect(entries.length).toBeLessThan(10)
    bench.carrier('only').takes()
    await bench.pass(60)
    expect(await bench.statuses(waiting)).toEqual(waiting.map(() => 'ACCEPTED'))
  })

  test('keeps a message that it may have, and one that it has a part of', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    const first = bench.carrier('first')
    first.answer = () => ({ kind: 'unclear', reason: 'no answer', aboutMessage: true })
    const [uncertain = 0 as never] = await bench.send()
    first.answer = (part) =>
      part === 1 ? { kind: 'taken', ref: 'one' } : { kind: 'slow', reason: 'busy', retryAfterMs: null }
    const [halfTaken = 0 as never] = await bench.send(1, { parts: 2 })
    first.says('slow')
    await bench.send(10)
    await bench.pass(20)
    expect(viewOf('first')?.degraded).not.toBeNull()
    const kept = [uncertain, halfTaken]
    expect(bench.carrier('second').submissions.filter(({ messageId }) => kept.includes(messageId))).toEqual([])
    first.takes()
    await bench.pass(39)
    expect(await bench.statuses(kept)).toEqual(['ACCEPTED', 'ACCEPTED'])
  })

  test('stops nothing for longer than a minute by one answer, whatever time it asks for', async () => {
    bench = await CarrierBench.start(['only'])
    bench.carrier('only').answer = () => ({ kind: 'slow', reason: 'busy', retryAfterMs: 3_600_000 })
    await bench.send(1, { lifetimeSeconds: 600 })
    bench.carrier('only').takes()
    const later = await bench.send(3, { lifetimeSeconds: 600 })
    await bench.pass(59)
    expect(await bench.statuses(later)).toEqual(later.map(() => 'QUEUED'))
    await bench.pass(2)
    expect(await bench.statuses(later)).toEqual(later.map(() => 'ACCEPTED'))
  })

  test('stays in use when it takes what it is asked twice to take', async () => {
    bench = await CarrierBench.start(['first', 'second'])
    bench.carrier('first').answer = (_, { attempt, messageId }) =>
      attempt === 2 ? { kind: 'taken', ref: `${messageId}` } : { kind: 'slow', reason: 'busy', retryAfterMs: null }
    const ids = []
    for (let second = 0; second < 12; second += 3) {
      ids.push(...(await bench.send(3)))
      await bench.pass(3)
    }
    expect(await bench.statuses(ids)).toEqual(ids.map(() => 'ACCEPTED'))
    expect(bench.asked['second'] ?? 0).toBe(0)
  })
})

describe('an SMSC that answers', () => {
  test.each([STATUS.throttled, STATUS.queueFull, STATUS.systemError, STATUS.temporaryAppError])(
    '%d to everything loses its messages to the next one, and none comes twice',
    async (status) => {
      const arrivals = new Map<string, () => number>()
      const started = new Map<string, Awaited<ReturnType<SmppBench['startSmsc']>>>()
      const ports: Record<string, number> = {}
      bench = await CarrierBench.start(['first', 'second'], {
        createCarrier: (id, clock) => smpp.createCarrier(ports[id] ?? 0, clock, {}, id).carrier,
        before: async (clock) => {
          for (const id of ['first', 'second']) {
            const both = await smpp.startSmsc(clock)
            started.set(id, both)
            ports[id] = both.smsc.port
            arrivals.set(id, () => both.traffic.arrivals.length)
          }
        },
      })
      const isUp = (id: string) => viewOf(id)?.up === true
      await eventually('both binds', () => isUp('first') && isUp('second'))
      started.get('first')?.smsc.inject({ kind: 'throttling', forMs: 86_400_000, status })
      const ids = await bench.send(10)
      await eventually('all of them', () => arrivals.get('second')?.() === 10, { clock: bench.clock })
      expect(arrivals.get('first')?.()).toBe(0)
      await eventually('their record', async () => !(await bench.statuses(ids)).includes('QUEUED'))
      expect(viewOf('first')?.degraded?.reason).toMatch(/^ESME_R/)
      expect(warnings()).toHaveLength(1)
    },
  )
})
