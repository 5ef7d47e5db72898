/** The journey of a message told as stories: each makes events happen and looks at all that they change. */
import { describe, expect, test } from 'vitest'
import { CHANNELS, type Channel } from '../../src/domain/channel.ts'
import { advance } from '../../src/domain/journey.ts'
import type { JourneyEvent, ReceiptOutcome, Verdict } from '../../src/domain/journey-event.ts'
import type { Message } from '../../src/domain/message.ts'
import { toMicros } from '../../src/domain/money.ts'
import type { Step } from '../../src/domain/plan.ts'
import type { Turn } from '../../src/domain/turn.ts'
import { waitAfter } from '../../src/domain/wait-asked.ts'
import { buildMessage, buildStep, BEGINNING as START } from '../support/build-message.ts'

const MINUTE = 60_000

/** A step that lives a minute; prices tell the channels apart: rcs costs 50, chatapp 40, sms 30, a call 20. */
function step(
  channel: Channel,
  wish: { readonly priceMicros?: number; readonly parts?: number; readonly lifetimeSeconds?: number } = {},
): Step {
  return buildStep(channel, {
    lifetimeSeconds: wish.lifetimeSeconds ?? 60,
    priceMicros: toMicros(wish.priceMicros ?? 50 - 10 * CHANNELS.indexOf(channel)),
    parts: wish.parts ?? 1,
  })
}

/** A message on its way, and everything that its turns have said so far. */
class Story {
  message: Message
  now = START
  turn: Turn | null = null
  readonly turns: Turn[] = []

  constructor(plan: readonly Step[], changes: Partial<Message> = {}) {
    this.message = buildMessage({ plan, clientId: '12', ...changes })
  }

  get journey() {
    return this.message.journey
  }

  tell(event: JourneyEvent): Turn | null {
    this.turn = advance(this.message, event)
    if (this.turn !== null) {
      this.turns.push(this.turn)
      this.message = this.turn.message
    }
    return this.turn
  }

  answer(
    verdicts: readonly (Verdict & { part?: number })[],
    about: { step?: number; carrierId?: string; anotherLeft?: boolean } = {},
  ) {
    return this.tell({
      kind: 'answered',
      at: this.now,
      step: about.step ?? this.journey.step,
      carrierId: about.carrierId ?? `carrier-${about.step ?? this.journey.step}`,
      verdicts: verdicts.map((verdict, index) => ({ part: index, ...verdict })),
      anotherLeft: about.anotherLeft ?? false,
      jitter: 0,
    })
  }

  receipt(outcome: ReceiptOutcome, about: { step?: number; part?: number } = {}) {
    const at = about.step ?? this.journey.step
    return this.tell({
      kind: 'receipt',
      at: this.now,
      step: at,
      part: about.part ?? 0,
      carrierId: `carrier-${at}`,
      outcome,
      detail: `stat:${outcome}`,
    })
  }

  wait(milliseconds: number) {
    this.now += milliseconds
    return this.tell({ kind: 'timeout', at: this.now })
  }

  /** The postings of the whole story, as `charge 30`. */
  get book(): string[] {
    return this.turns.flatMap((turn) => turn.postings.map((posting) => `${posting.kind} ${posting.amountMicros}`))
  }

  /** The reports of the whole story, as the client reads them. */
  get told(): Record<string, unknown>[] {
    return this.turns.flatMap((turn) => turn.reports.map((report) => JSON.parse(report.body)))
  }

  get toldStatuses(): unknown[] {
    return this.told.map((report) => report['status'])
  }

  get timeline(): string[] {
    return this.turns.flatMap((turn) => turn.timeline.map((entry) => `${entry.kind} ${entry.step}`))
  }

  get stepStatuses(): string[] {
    return this.journey.steps.map((state) => state.status)
  }
}

const taken = (ref = 'ref'): Verdict => ({ kind: 'taken', ref })
const refused = (status: 'UNDELIVERABLE' | 'REJECTED' = 'UNDELIVERABLE'): Verdict => ({
  kind: 'refused',
  status,
  reason: 'no such subscriber',
})
const unclear = (): Verdict => ({ kind: 'unclear', reason: 'no answer' })
const unreachable = (): Verdict => ({ kind: 'unreachable', reason: 'connection refused' })
const slow = (retryAfterMs: number | null = null): Verdict => ({ kind: 'slow', reason: 'throttled', retryAfterMs })

const chain = () => [step('rcs'), step('chatapp'), step('sms')]

describe('a message of one step', () => {
  test('is open and due at once when it is accepted, with the dearest price held', () => {
    const { journey } = new Story(chain())
    expect(journey).toMatchObject({
      version: 0,
      status: 'QUEUED',
      phase: 'open',
      step: 0,
      dueAt: START,
      deadlineAt: START + MINUTE,
      heldMicros: 50,
      chargedMicros: 0,
    })
  })

  test('by RCS is charged once it is delivered, not before', () => {
    const story = new Story([step('rcs')])
    story.answer([taken('r-1')])
    expect(story.turn?.refs).toEqual([{ carrierId: 'carrier-0', ref: 'r-1', step: 0, part: 0 }])
    expect(story.journey).toMatchObject({ status: 'ACCEPTED', phase: 'carried', dueAt: START + MINUTE, heldMicros: 50 })
    expect(story.book).toEqual([])
    expect(story.told).toEqual([])

    story.receipt('delivered')
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended', dueAt: null, deliveredBy: 0 })
    expect(story.book).toEqual(['charge 50'])
    expect(story.told).toMatchObject([{ status: 'DELIVERED', channel: 'rcs', error: null }])
  })

  test('says of its step when it came to its status, and forgets why it was not there before', () => {
    const story = new Story([step('rcs')])
    story.now += 1_000
    story.answer([unclear()])
    expect(story.journey.steps[0]).toMatchObject({ status: 'QUEUED', at: START, detail: 'no answer' })
    story.now += 1_000
    story.answer([taken()])
    expect(story.journey.steps[0]).toMatchObject({ status: 'ACCEPTED', at: START + 2_000, detail: null })
    story.now += 1_000
    story.receipt('delivered')
    expect(story.journey.steps[0]).toMatchObject({ status: 'DELIVERED', at: START + 3_000, detail: null })
  })

  test('by SMS is charged once the carrier takes it, and stays charged when it is not delivered', () => {
    const story = new Story([step('sms')])
    story.answer([taken()])
    expect(story.book).toEqual(['charge 30'])
    expect(story.journey).toMatchObject({ phase: 'carried', heldMicros: 0, chargedMicros: 30 })

    story.receipt('undeliverable')
    expect(story.book).toEqual(['charge 30'])
    expect(story.told).toMatchObject([{ status: 'UNDELIVERABLE', price: 0.00003, error: 'stat:undeliverable' }])
  })

  test('by a call is delivered and charged when the phone rings', () => {
    const story = new Story([step('call')])
    story.answer([taken()])
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended' })
    expect(story.book).toEqual(['charge 20'])
    expect(story.timeline).toEqual(['taken 0'])
    expect(story.toldStatuses).toEqual(['DELIVERED'])
  })

  test('that has no route ends so, and costs nothing', () => {
    const story = new Story([step('sms')])
    story.tell({ kind: 'unroutable', at: START, step: 0, reason: 'no route to this number' })
    expect(story.journey).toMatchObject({ status: 'NO ROUTE', phase: 'ended' })
    expect(story.book).toEqual(['release 30'])
    expect(story.told).toMatchObject([{ status: 'NO ROUTE', error: 'no route to this number' }])
  })

  test.each([
    ['expired', 'EXPIRED'],
    ['undeliverable', 'UNDELIVERABLE'],
    ['rejected', 'REJECTED'],
    ['unknown', 'UNKNOWN'],
  ] as const)('whose receipt says %s ends as %s', (outcome, status) => {
    const story = new Story([step('rcs')])
    story.answer([taken()])
    story.receipt(outcome)
    expect(story.journey).toMatchObject({ status, phase: 'ended', dueAt: null })
    expect(story.book).toEqual(['release 50'])
    expect(story.toldStatuses).toEqual([status])
  })

  test('changes nothing on news that it is on its way, but keeps it on the timeline', () => {
    const story = new Story([step('sms')])
    story.answer([taken()])
    const before = story.journey
    story.receipt('accepted')
    expect(story.journey).toMatchObject({ ...before, version: before.version + 1 })
    expect(story.timeline).toEqual(['taken 0', 'accepted 0'])
  })
})

describe('a step that fails', () => {
  test('by refusal opens the next one at once, with a lifetime of its own', () => {
    const story = new Story(chain())
    story.now += 5_000
    story.answer([refused()])
    expect(story.journey).toMatchObject({
      status: 'QUEUED',
      phase: 'open',
      step: 1,
      attempts: 0,
      dueAt: START + 5_000,
      deadlineAt: START + 5_000 + MINUTE,
      heldMicros: 50,
    })
    expect(story.stepStatuses).toEqual(['UNDELIVERABLE', 'QUEUED'])
    expect(story.turn?.revokes).toEqual([])
    expect(story.told).toEqual([])
  })

  test('by an undeliverable receipt opens the next one; the end releases what the dearest step held', () => {
    const story = new Story(chain())
    story.answer([taken()])
    story.receipt('undeliverable')
    story.answer([refused('REJECTED')])
    story.answer([taken()])
    expect(story.book).toEqual(['charge 30', 'release 20'])
    story.receipt('delivered')
    expect(story.book).toEqual(['charge 30', 'release 20'])
    expect(story.told).toHaveLength(1)
    expect(story.told[0]).toMatchObject({
      status: 'DELIVERED',
      channel: 'sms',
      steps: [
        { channel: 'rcs', status: 'UNDELIVERABLE' },
        { channel: 'chatapp', status: 'REJECTED' },
        { channel: 'sms', status: 'DELIVERED' },
      ],
    })
  })

  test('by its lifetime is revoked with the carrier that has it, and the next one opens', () => {
    const story = new Story(chain())
    story.answer([taken('r-1')])
    expect(story.wait(MINUTE - 1)).toBeNull()
    story.wait(1)
    expect(story.turn?.revokes).toEqual([{ step: 0, carrierId: 'carrier-0', refs: ['r-1'] }])
    expect(story.stepStatuses).toEqual(['EXPIRED', 'QUEUED'])
    expect(story.journey).toMatchObject({ step: 1, phase: 'open', dueAt: START + MINUTE })
    expect(story.timeline).toEqual(['taken 0', 'expired 0'])

    story.tell({ kind: 'revoked', at: story.now, step: 0, carrierId: 'carrier-0', detail: 'HTTP 200' })
    expect(story.timeline.at(-1)).toBe('revoked 0')
    expect(story.journey).toMatchObject({ step: 1, phase: 'open' })
  })

  test('before any carrier was tried has nothing to revoke', () => {
    const story = new Story(chain())
    story.wait(MINUTE)
    expect(story.turn?.revokes).toEqual([])
    expect(story.journey.step).toBe(1)
  })

  test('as the last one ends the message, released in full', () => {
    const story = new Story(chain())
    for (let each = 0; each < 3; each += 1) story.answer([refused()])
    expect(story.journey).toMatchObject({ status: 'UNDELIVERABLE', phase: 'ended', step: 2, heldMicros: 0 })
    expect(story.book).toEqual(['release 50'])
    expect(story.told).toMatchObject([{ status: 'UNDELIVERABLE', channel: 'sms', error: 'no such subscriber' }])
  })

  test('by having no route opens the next one, but only while it is open', () => {
    const story = new Story(chain())
    story.tell({ kind: 'unroutable', at: START, step: 0, reason: 'none' })
    expect(story.journey.step).toBe(1)
    expect(story.tell({ kind: 'unroutable', at: START, step: 0, reason: 'none' })).toBeNull()
    story.answer([taken()])
    expect(story.tell({ kind: 'unroutable', at: START, step: 1, reason: 'none' })).toBeNull()
  })
})

describe('a step that is tried again', () => {
  test('after answers that say nothing waits twice as long each time, five minutes at most', () => {
    const story = new Story([step('sms', { lifetimeSeconds: 86_400 })])
    const waits: number[] = []
    for (let each = 0; each < 11; each += 1) {
      story.answer([unclear()])
      waits.push((story.journey.dueAt ?? 0) - story.now)
      story.now = story.journey.dueAt ?? 0
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1_000))
    expect(story.journey).toMatchObject({ phase: 'open', status: 'QUEUED', attempts: 11 })
    expect(story.book).toEqual([])
  })

  test('waits up to a fifth less, so that messages do not come back in step', () => {
    expect(waitAfter(1, 0)).toBe(1_000)
    expect(waitAfter(1, 0.5)).toBe(900)
    expect(waitAfter(5_000, 0.999)).toBeGreaterThanOrEqual(240_000)
  })

  test('never waits beyond its lifetime, and expires with the last reason when that is over', () => {
    const story = new Story([step('sms')])
    story.now += MINUTE - 10
    story.answer([unclear()])
    expect(story.journey.dueAt).toBe(START + MINUTE)
    story.wait(10)
    expect(story.journey).toMatchObject({ status: 'EXPIRED', phase: 'ended' })
    expect(story.told).toMatchObject([{ status: 'EXPIRED', error: 'no answer' }])
    // The carrier may have it after all: it is asked to forget it, without an id to name it by.
    expect(story.turn?.revokes).toEqual([{ step: 0, carrierId: 'carrier-0', refs: [] }])
  })

  test('waits as long as a slow carrier asks', () => {
    const story = new Story([step('sms')])
    story.answer([slow(17_000)])
    expect(story.journey.dueAt).toBe(START + 17_000)
    story.answer([slow(null)])
    expect(story.journey.dueAt).toBe(START + 2_000)
  })

  test('waits a second when a slow carrier asks for less, so that tries never race', () => {
    const story = new Story([step('sms')])
    story.answer([slow(0)])
    expect(story.journey.dueAt).toBe(START + 1_000)
  })

  test('counts its attempts anew in the next step', () => {
    const story = new Story(chain())
    story.answer([unclear()])
    story.answer([refused()])
    story.answer([unclear()])
    expect(story.journey).toMatchObject({ step: 1, attempts: 1, dueAt: START + 1_000 })
  })
})

describe('an SMS of several parts', () => {
  const long = () => new Story([step('sms', { parts: 3, priceMicros: 90 })])

  test('is carried and charged only when the last part is taken; taken ones are not asked again', () => {
    const story = long()
    story.answer([taken('a'), unclear(), taken('c')])
    expect(story.journey).toMatchObject({ phase: 'open', dueAt: START + 1_000 })
    expect(story.journey.steps[0]?.parts.map((part) => part.state)).toEqual(['taken', 'open', 'taken'])
    expect(story.book).toEqual([])

    story.answer([{ ...taken('b'), part: 1 }])
    expect(story.journey.phase).toBe('carried')
    expect(story.book).toEqual(['charge 90'])
    expect(story.turns.flatMap((turn) => turn.refs.map((ref) => `${ref.ref} ${ref.part}`))).toEqual([
      'a 0',
      'c 2',
      'b 1',
    ])
  })

  test('is delivered when all of its parts are', () => {
    const story = long()
    story.answer([taken('a'), taken('b'), taken('c')])
    story.receipt('delivered', { part: 2 })
    story.receipt('delivered', { part: 0 })
    expect(story.told).toEqual([])
    story.receipt('delivered', { part: 1 })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended' })
    expect(story.told).toMatchObject([{ status: 'DELIVERED', parts: 3 }])
  })

  test('that a carrier took as one message is delivered by the one receipt under that id', () => {
    const story = long()
    story.answer([taken('whole'), taken('whole'), taken('rest')])
    story.receipt('delivered', { part: 1 })
    expect(story.journey.steps[0]?.parts.map((part) => part.state)).toEqual(['delivered', 'delivered', 'taken'])
    expect(story.journey.phase).toBe('carried')
    story.receipt('delivered', { part: 0 })
    expect(story.timeline).toEqual(['taken 0', 'delivered 0', 'late 0'])
    story.receipt('delivered', { part: 2 })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended' })
  })

  test('fails when one part does, and is over then', () => {
    const story = long()
    story.answer([taken('a'), taken('b'), taken('c')])
    story.receipt('delivered', { part: 0 })
    story.receipt('undeliverable', { part: 1 })
    story.receipt('delivered', { part: 2 })
    expect(story.journey).toMatchObject({ status: 'UNDELIVERABLE', phase: 'ended' })
    expect(story.timeline.slice(1)).toEqual(['delivered 0', 'failed 0', 'late 0'])
    expect(story.toldStatuses).toEqual(['UNDELIVERABLE'])
  })

  test('does not fail by a part that was delivered before', () => {
    const story = long()
    story.answer([taken('a'), taken('b'), taken('c')])
    story.receipt('delivered', { part: 0 })
    story.receipt('expired', { part: 0 })
    expect(story.timeline.at(-1)).toBe('late 0')
    expect(story.journey.phase).toBe('carried')
  })

  test('fails when one part is refused, and is not charged', () => {
    const story = long()
    story.answer([taken('a'), refused('REJECTED'), unclear()])
    expect(story.journey).toMatchObject({ status: 'REJECTED', phase: 'ended' })
    expect(story.book).toEqual(['release 90'])
  })

  test('waits for the slowest part', () => {
    const story = long()
    story.answer([unclear(), slow(30_000), taken()])
    expect(story.journey.dueAt).toBe(START + 30_000)
  })

  test('whose first part is delivered before the rest is taken is charged when the rest is', () => {
    const story = long()
    story.answer([taken('a'), unclear(), unclear()])
    story.receipt('delivered', { part: 0 })
    expect(story.journey.phase).toBe('open')
    story.answer([
      { ...taken('b'), part: 1 },
      { ...taken('c'), part: 2 },
    ])
    expect(story.journey.phase).toBe('carried')
    expect(story.book).toEqual(['charge 90'])
  })

  test('is judged only by the parts that are still open when two answers cross', () => {
    const story = long()
    story.answer([taken('a'), unclear(), taken('c')])
    // A second node had asked for all three, before it could know of the first answer.
    story.answer([refused(), taken('b'), unclear()])
    expect(story.journey).toMatchObject({ phase: 'carried', status: 'ACCEPTED' })
    expect(story.book).toEqual(['charge 90'])
  })

  test('is revoked with the ids of the parts that are with the carrier and not delivered', () => {
    const story = long()
    story.answer([taken('a'), taken('b'), unclear()])
    story.receipt('delivered', { part: 0 })
    story.wait(MINUTE)
    expect(story.turn?.revokes).toEqual([{ step: 0, carrierId: 'carrier-0', refs: ['b'] }])
  })
})

describe('news that comes twice or out of order', () => {
  test('read before delivered tells of both, in the order of sense', () => {
    const story = new Story([step('rcs')])
    story.answer([taken()])
    story.receipt('read')
    expect(story.journey).toMatchObject({ status: 'READ', phase: 'ended', deliveredBy: 0 })
    expect(story.stepStatuses).toEqual(['READ'])
    expect(story.toldStatuses).toEqual(['DELIVERED', 'READ'])
    story.receipt('delivered')
    expect(story.journey.status).toBe('READ')
    expect(story.toldStatuses).toEqual(['DELIVERED', 'READ'])
    expect(story.timeline).toEqual(['taken 0', 'read 0', 'late 0'])
  })

  test('read after delivered is told once', () => {
    const story = new Story([step('rcs')])
    story.answer([taken()])
    story.receipt('delivered')
    story.receipt('read')
    story.receipt('read')
    expect(story.toldStatuses).toEqual(['DELIVERED', 'READ'])
    expect(story.timeline).toEqual(['taken 0', 'delivered 0', 'read 0', 'late 0'])
    expect(story.book).toEqual(['charge 50'])
  })

  test('delivered twice is charged and told once', () => {
    const story = new Story([step('rcs')])
    story.answer([taken()])
    story.receipt('delivered')
    story.receipt('delivered')
    expect(story.book).toEqual(['charge 50'])
    expect(story.toldStatuses).toEqual(['DELIVERED'])
  })

  test('a failure after the delivery does not undo it', () => {
    const story = new Story([step('rcs'), step('sms')])
    story.answer([taken()])
    story.receipt('delivered')
    story.receipt('undeliverable')
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended', step: 0 })
    expect(story.timeline.at(-1)).toBe('late 0')
  })

  test('a second answer of a step that a carrier has is a note, and its ids are kept for receipts', () => {
    const story = new Story([step('sms')])
    story.answer([taken('a')])
    story.answer([taken('b')])
    expect(story.turn?.refs).toEqual([{ carrierId: 'carrier-0', ref: 'b', step: 0, part: 0 }])
    expect(story.turn?.revokes).toEqual([])
    expect(story.timeline).toEqual(['taken 0', 'late 0'])
    expect(story.book).toEqual(['charge 30'])
    story.wait(MINUTE)
    expect(story.turn?.revokes[0]?.refs).toEqual(['a'])
  })

  test('the same news without end is noted five times and then no more, but other news still is', () => {
    const story = new Story([step('rcs')])
    story.answer([taken()])
    for (let each = 0; each < 100; each += 1) story.receipt('accepted')
    story.receipt('delivered')
    for (let each = 0; each < 100; each += 1) story.receipt('delivered')
    for (let each = 0; each < 100; each += 1) story.receipt('undeliverable')
    story.receipt('read')
    const times = (kind: string) => story.timeline.filter((entry) => entry === kind).length
    expect([times('accepted 0'), times('delivered 0'), times('late 0'), times('read 0')]).toEqual([5, 1, 10, 1])
    expect(story.journey).toMatchObject({ status: 'READ', version: 303 })
  })

  test('the same news of different parts is noted for each', () => {
    const story = new Story([step('sms', { parts: 2 })])
    story.answer([taken('a'), taken('b')])
    for (let each = 0; each < 10; each += 1) story.receipt('accepted', { part: 0 })
    story.receipt('accepted', { part: 1 })
    expect(story.timeline).toHaveLength(1 + 5 + 1)
  })

  test('news that changes something is noted, however often it had changed nothing before', () => {
    const story = new Story([step('rcs', { parts: 2 })])
    story.answer([taken('a'), taken('b')])
    for (let each = 0; each < 10; each += 1) story.receipt('read', { part: 0 })
    expect(story.timeline).toHaveLength(1 + 1 + 5)
    story.receipt('delivered', { part: 1 })
    story.receipt('read', { part: 0 })
    expect(story.timeline.slice(-2)).toEqual(['delivered 0', 'read 0'])
    expect(story.journey.status).toBe('READ')
  })

  test('a receipt of a step or a part that was never begun changes nothing', () => {
    const story = new Story(chain())
    expect(story.receipt('delivered', { step: 1 })).toBeNull()
    expect(story.receipt('delivered', { step: 0, part: 1 })).toBeNull()
  })

  test('a lifetime that is over does not touch a message that has ended', () => {
    const story = new Story([step('call')])
    story.answer([taken()])
    expect(story.wait(10 * MINUTE)).toBeNull()
  })
})

describe('a delivery of an earlier step that comes late', () => {
  const expiredRcs = (plan: readonly Step[] = chain()) => {
    const story = new Story(plan)
    story.answer([taken('r-1')])
    story.wait(MINUTE)
    return story
  }

  test('while the next step is open ends the message there, charged for the step that was delivered', () => {
    const story = expiredRcs()
    story.answer([unclear()])
    story.receipt('delivered', { step: 0 })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended', step: 0, deliveredBy: 0, dueAt: null })
    expect(story.stepStatuses).toEqual(['DELIVERED', 'QUEUED'])
    expect(story.journey.steps[0]?.detail).toBeNull()
    expect(story.turn?.revokes).toEqual([{ step: 1, carrierId: 'carrier-1', refs: [] }])
    expect(story.book).toEqual(['charge 50'])
    expect(story.told).toMatchObject([{ status: 'DELIVERED', channel: 'rcs' }])
  })

  test('while a carrier has the next step revokes that', () => {
    const story = expiredRcs()
    story.answer([taken('c-1')])
    story.receipt('delivered', { step: 0 })
    expect(story.turn?.revokes).toEqual([{ step: 1, carrierId: 'carrier-1', refs: ['c-1'] }])
    expect(story.book).toEqual(['charge 50'])
    expect(story.toldStatuses).toEqual(['DELIVERED'])
  })

  test('after the SMS was charged is not charged again', () => {
    const story = expiredRcs([step('rcs'), step('sms')])
    story.answer([taken('s-1')])
    story.receipt('delivered', { step: 0 })
    expect(story.book).toEqual(['charge 30', 'release 20'])
    expect(story.told).toMatchObject([{ status: 'DELIVERED', channel: 'rcs', price: 0.00003 }])
  })

  test('after an SMS that costs nothing was taken is not charged either: its hold is gone', () => {
    const story = expiredRcs([step('rcs'), step('sms', { priceMicros: 0 })])
    story.answer([taken('s-1')])
    expect(story.book).toEqual(['release 50'])
    story.receipt('delivered', { step: 0 })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', heldMicros: 0, chargedMicros: 0 })
    expect(story.book).toEqual(['release 50'])
  })

  test('after the message has ended is only a note', () => {
    const story = expiredRcs([step('rcs'), step('sms')])
    story.answer([refused()])
    story.receipt('delivered', { step: 0 })
    expect(story.journey).toMatchObject({ status: 'UNDELIVERABLE', phase: 'ended' })
    expect(story.timeline.at(-1)).toBe('late 0')
    expect(story.book).toEqual(['release 50'])
    expect(story.toldStatuses).toEqual(['UNDELIVERABLE'])
  })

  test('as read is told as delivered and as read', () => {
    const story = expiredRcs()
    story.receipt('read', { step: 0 })
    expect(story.toldStatuses).toEqual(['DELIVERED', 'READ'])
  })

  test('after another step has delivered is only a note, read or not', () => {
    const story = expiredRcs()
    story.answer([taken()])
    story.receipt('delivered')
    story.receipt('read', { step: 0 })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', deliveredBy: 1 })
    expect(story.timeline.at(-1)).toBe('late 0')
    expect(story.toldStatuses).toEqual(['DELIVERED'])
  })
})

describe('an answer that comes after the message has moved on', () => {
  test('keeps its ids, is revoked so that nobody gets the message twice, and leaves the step under way alone', () => {
    const story = new Story(chain())
    story.wait(MINUTE)
    const before = story.journey
    story.answer([taken('r-1')], { step: 0 })
    expect(story.turn?.refs).toEqual([{ carrierId: 'carrier-0', ref: 'r-1', step: 0, part: 0 }])
    expect(story.turn?.revokes).toEqual([{ step: 0, carrierId: 'carrier-0', refs: ['r-1'] }])
    expect(story.turn?.timeline).toMatchObject([{ kind: 'late', step: 0 }])
    expect(story.journey).toMatchObject({ step: 1, attempts: before.attempts, dueAt: before.dueAt, phase: 'open' })

    story.receipt('delivered', { step: 0 })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', deliveredBy: 0 })
  })

  test('is revoked after the end as well, and never charged', () => {
    const story = new Story([step('sms')])
    story.wait(MINUTE)
    story.answer([taken('s-1')], { step: 0 })
    expect(story.turn?.revokes).toEqual([{ step: 0, carrierId: 'carrier-0', refs: ['s-1'] }])
    expect(story.book).toEqual(['release 30'])
    expect(story.toldStatuses).toEqual(['EXPIRED'])
  })

  test('has nothing to revoke when the carrier did not take it', () => {
    const story = new Story(chain())
    story.wait(MINUTE)
    story.answer([refused()], { step: 0 })
    expect(story.turn?.revokes).toEqual([])
    expect(story.stepStatuses).toEqual(['EXPIRED', 'QUEUED'])
  })

  test('is not revoked when the step itself was delivered', () => {
    const story = new Story([step('rcs')])
    story.answer([taken('a')])
    story.receipt('delivered')
    story.answer([taken('a')])
    expect(story.turn?.revokes).toEqual([])
  })
})

describe('reports', () => {
  test('of the steps between are made when the account wants them', () => {
    const story = new Story(chain(), { reportSteps: true })
    story.answer([refused()])
    story.answer([taken()])
    story.wait(MINUTE)
    story.answer([taken()])
    story.receipt('delivered')
    expect(story.told.map((report) => `${report['channel']} ${report['status']}`)).toEqual([
      'chatapp QUEUED',
      'chatapp ACCEPTED',
      'sms QUEUED',
      'sms ACCEPTED',
      'sms DELIVERED',
    ])
    expect(story.turns.flatMap((turn) => turn.reports.map((report) => report.number))).toEqual([0, 1, 2, 3, 4])
    expect(story.journey.reports).toBe(5)
  })

  test('are not made without a hook', () => {
    const story = new Story([step('rcs')], { hook: null, reportSteps: true })
    story.answer([taken()])
    story.receipt('read')
    story.tell({ kind: 'clicked', at: START, url: 'https://shop.example/', code: 'abc' })
    expect(story.told).toEqual([])
    expect(story.journey.reports).toBe(0)
    expect(story.timeline).toEqual(['taken 0', 'read 0', 'clicked 0'])
  })

  test('of clicks are made at any time, the end included', () => {
    const story = new Story([step('rcs')])
    story.answer([taken()])
    story.receipt('delivered')
    story.tell({ kind: 'clicked', at: START + 7, url: 'https://shop.example/?a=b', code: 'abc' })
    expect(story.told.at(-1)).toEqual({
      type: 'link.clicked',
      timestamp: '2026-01-01T00:00:00.007Z',
      id: 12,
      msg_id: story.message.id,
      phone: 4915112345678,
      url: 'https://shop.example/?a=b',
      code: 'abc',
    })
    expect(story.turn?.reports[0]?.number).toBe(1)
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended', dueAt: null })
  })
})

describe('a carrier that cannot be reached', () => {
  const steps = (story: Story) => story.journey.steps[0]

  test('gives the step to the next carrier at once, and only a full round makes it wait', () => {
    const story = new Story([step('sms')])
    story.answer([unreachable()], { carrierId: 'a', anotherLeft: true })
    expect(story.journey).toMatchObject({ phase: 'open', attempts: 1, dueAt: START })
    expect(steps(story)).toMatchObject({ carrierId: null, tried: ['a'], detail: 'connection refused' })
    expect(story.timeline.at(-1)).toBe('unreachable 0')
    story.answer([unreachable()], { carrierId: 'b', anotherLeft: false })
    expect(story.journey.dueAt).toBe(START + waitAfter(2, 0))
    expect(steps(story)).not.toHaveProperty('tried')
    story.now += waitAfter(2, 0)
    story.answer([taken('x')], { carrierId: 'a' })
    expect(steps(story)).toMatchObject({ status: 'ACCEPTED', carrierId: 'a', detail: null })
  })

  test('is not tried again and again because somebody says that another is left', () => {
    const story = new Story([step('sms')])
    story.answer([unreachable()], { carrierId: 'a', anotherLeft: true })
    story.answer([unreachable()], { carrierId: 'a', anotherLeft: true })
    expect(story.journey.dueAt).toBeGreaterThan(START)
  })

  test('counts for nothing beside a part of which nobody knows', () => {
    const story = new Story([step('sms', { parts: 2 })])
    story.answer([unreachable(), unclear()], { carrierId: 'a', anotherLeft: true })
    expect(story.journey.dueAt).toBe(START + waitAfter(1, 0))
    expect(steps(story)).toMatchObject({ carrierId: 'a' })
  })

  test('keeps the parts that it took: the others go on, and each is revoked where it is', () => {
    const story = new Story([step('sms', { parts: 3 })])
    story.answer([taken('a-1'), unreachable(), unreachable()], { carrierId: 'a', anotherLeft: true })
    expect(story.journey.dueAt).toBe(START)
    story.answer(
      [
        { ...taken('b-2'), part: 1 },
        { ...unclear(), part: 2 },
      ],
      { carrierId: 'b' },
    )
    expect(steps(story)?.parts).toEqual([
      { state: 'taken', ref: 'a-1', carrierId: 'a' },
      { state: 'taken', ref: 'b-2' },
      { state: 'open', ref: null },
    ])
    story.wait(MINUTE)
    expect(story.turn?.revokes).toEqual([
      { step: 0, carrierId: 'b', refs: ['b-2'] },
      { step: 0, carrierId: 'a', refs: ['a-1'] },
    ])
  })

  test('has nothing to revoke when the message has moved on', () => {
    const story = new Story(chain())
    story.wait(MINUTE)
    story.answer([unreachable()], { step: 0, carrierId: 'a' })
    expect(story.timeline.at(-1)).toBe('late 0')
    expect(story.turn?.revokes).toEqual([])
  })
})
