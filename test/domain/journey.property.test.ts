/** What holds for every plan and every order of events, however unlikely: looked at after each turn. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHANNELS } from '../../src/domain/channels/channel.ts'
import { advance } from '../../src/domain/journey/journey.ts'
import type { Turn } from '../../src/domain/journey/turn.ts'
import type { JourneyEvent, ReceiptOutcome, Verdict } from '../../src/domain/message/journey-event.ts'
import { holdOf, type Message } from '../../src/domain/message/message.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { BEGINNING, buildMessage, buildStep } from '../support/build-message.ts'

/** An answer before it is known which parts are open: it becomes one when its turn comes. */
interface AnswerInput {
  readonly kind: 'answer'
  readonly at: number
  /** 0 is about the step under way, 1 about the one before it. */
  readonly back: number
  readonly carrierId: string
  /** One for each part that there might be. */
  readonly verdicts: readonly Verdict[]
  /** Null asks for the open parts, as an attempt does; otherwise the answer crossed with another. */
  readonly asked: readonly number[] | null
  readonly anotherLeft: boolean
  readonly jitter: number
}

type Input = JourneyEvent | AnswerInput

function toEvent(input: Input, { journey }: Message): JourneyEvent {
  if (input.kind !== 'answer') return input
  const { at, carrierId, asked, jitter } = input
  const step = Math.max(0, journey.steps.length - 1 - input.back)
  const parts = journey.steps[step]?.parts ?? []
  const verdicts = input.verdicts
    .map((verdict, part) => ({ ...verdict, part }))
    .filter(({ part }) => part < parts.length && (asked?.includes(part) ?? parts[part]?.state === 'open'))
  return { kind: 'answered', at, step, carrierId, verdicts, anotherLeft: input.anotherLeft, jitter }
}

const OUTCOMES: readonly ReceiptOutcome[] = [
  'accepted',
  'delivered',
  'read',
  'closed',
  'expired',
  'undeliverable',
  'rejected',
  'unknown',
]

const aStep = fc
  .record({
    channel: fc.constantFrom(...CHANNELS),
    priceMicros: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5 })).map(toMicros),
    parts: fc.constantFrom(1, 1, 1, 2, 3, 4),
    lifetimeSeconds: fc.integer({ min: 1, max: 100 }),
  })
  .map(({ channel, ...change }) => buildStep(channel, change))

const aMessage = fc
  .record({
    plan: fc.array(aStep, { minLength: 1, maxLength: 3 }),
    hook: fc.constantFrom('https://client.example/hook', 'https://client.example/hook', null),
    reportSteps: fc.boolean(),
  })
  .map((change) => buildMessage(change))

const aVerdict: fc.Arbitrary<Verdict> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.integer({ min: 0, max: 99 }).map((ref): Verdict => ({ kind: 'taken', ref: `ref-${ref}` })),
  },
  fc.constant<Verdict>({ kind: 'refused', status: 'REJECTED', reason: 'refused' }),
  fc.constant<Verdict>({ kind: 'unclear', reason: 'unclear' }),
  { weight: 2, arbitrary: fc.constant<Verdict>({ kind: 'unreachable', reason: 'connection refused' }) },
  fc
    .option(fc.integer({ min: 0, max: 200_000 }))
    .map((retryAfterMs): Verdict => ({ kind: 'slow', reason: 'slow', retryAfterMs })),
)

/** Mostly in the lifetime of something, and in no order. */
const aTime = fc.integer({ min: -10_000, max: 300_000 }).map((offset) => BEGINNING + offset)
const aCarrier = fc.constantFrom('one', 'other')

const anAnswer: fc.Arbitrary<AnswerInput> = fc.record({
  kind: fc.constant('answer'),
  at: aTime,
  back: fc.constantFrom(0, 0, 0, 1, 2),
  carrierId: aCarrier,
  verdicts: fc.array(aVerdict, { minLength: 4, maxLength: 4 }),
  asked: fc.oneof(fc.constant(null), fc.subarray([0, 1, 2, 3])),
  anotherLeft: fc.boolean(),
  jitter: fc.double({ min: 0, max: 0.999, noNaN: true }),
})

const aReceipt: fc.Arbitrary<JourneyEvent> = fc
  .record({
    kind: fc.constant('receipt' as const),
    at: aTime,
    step: fc.integer({ min: 0, max: 3 }),
    part: fc.integer({ min: 0, max: 4 }),
    carrierId: aCarrier,
    outcome: fc.constantFrom('delivered', 'delivered', ...OUTCOMES),
    detail: fc.constant('said the carrier'),
  })
  .map((receipt) => ({ ...receipt, ref: `${receipt.part}` }))

const anInput: fc.Arbitrary<Input> = fc.oneof(
  { weight: 6, arbitrary: anAnswer },
  { weight: 6, arbitrary: aReceipt },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('timeout'), at: aTime }) },
  fc.record({ kind: fc.constant('cancelled'), at: aTime }),
  fc.record({
    kind: fc.constant('unroutable'),
    at: aTime,
    step: fc.integer({ min: 0, max: 3 }),
    reason: fc.constant('no route'),
  }),
  fc.record({
    kind: fc.constant('filtered'),
    at: aTime,
    step: fc.integer({ min: 0, max: 3 }),
    blocked: fc.subarray([0, 1, 2, 3]),
    reason: fc.constant('opted out'),
  }),
  fc.record({
    kind: fc.constant('postponed'),
    at: aTime,
    step: fc.integer({ min: 0, max: 3 }),
    until: aTime,
    reason: fc.constant('quiet hours'),
    rules: fc.constant('rules'),
  }),
  fc.record({
    kind: fc.constant('revoked'),
    at: aTime,
    step: fc.constant(0),
    carrierId: aCarrier,
    detail: fc.constant('gone'),
  }),
  fc.record({
    kind: fc.constant('consent'),
    at: aTime,
    step: fc.integer({ min: 0, max: 3 }),
    sender: fc.constantFrom('Shop', null),
    optsOut: fc.boolean(),
    by: fc.constantFrom('link', 'keyword'),
    isNew: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('clicked'),
    at: aTime,
    url: fc.constant('https://shop.example/'),
    code: fc.constant('abc'),
  }),
)

/** One message and the book of all that was ever said about it. */
class Witness {
  message: Message
  readonly hold: number
  charges: number[] = []
  released = 0
  reports = 0
  entries = 0
  ends = 0
  reads = 0
  /** When the step under way was last answered; of an answer after its deadline, the deadline. */
  latestAnswerAt = 0
  /** Whether a carrier was ever said to have, or perhaps to have, any of it. */
  isTouched = false
  isReceipted = false
  readonly refs = new Set<string>()

  constructor(message: Message) {
    this.message = deepFreeze(message)
    this.hold = holdOf(message.plan)
  }

  apply(event: JourneyEvent): void {
    const before = this.message
    const turn = advance(before, deepFreeze(event))
    if (event.kind === 'cancelled') this.#watchCancelled(before, turn)
    if (event.kind === 'receipt') this.isReceipted = true
    if (event.kind === 'answered') {
      this.isTouched ||= event.verdicts.some(({ kind }) => kind === 'taken' || kind === 'unclear')
    }
    if (turn === null) return
    if (event.kind === 'answered' && event.step === before.journey.step) {
      this.latestAnswerAt = Math.min(event.at, before.journey.deadlineAt)
    }
    this.message = deepFreeze(turn.message)
    this.#watchMoney(before, turn)
    this.#watchReports(before, turn)
    this.#watchSteps(event, before, turn)
    this.#watchRefs(event, turn)
    expect(turn.message.journey.version).toBe(before.journey.version + 1)
    this.#watchTimeline(event, before, turn)
  }

  /**
   * A message without a submission can be cancelled, one that a carrier may have cannot; a second cancellation changes
   * nothing.
   */
  #watchCancelled(before: Message, turn: Turn | null): void {
    const { phase, status } = before.journey
    if (!this.isTouched && !this.isReceipted && phase === 'open') expect(turn?.message.journey.status).toBe('CANCELLED')
    if (turn === null) return
    expect(turn.message.journey).toMatchObject({
      status: 'CANCELLED',
      phase: 'ended',
      chargedMicros: 0,
      deliveredBy: null,
    })
    if (status === 'CANCELLED') expect(turn.timeline).toEqual([])
    else expect([this.isTouched, turn.timeline.map(({ kind }) => kind)]).toEqual([false, ['cancelled']])
  }

  /** A turn is on the timeline, unless a receipt or a cancellation says what was noted before: that changes nothing. */
  #watchTimeline(event: JourneyEvent, before: Message, turn: Turn): void {
    this.entries += turn.timeline.length
    if (turn.timeline.length > 0) {
      const entries = event.kind === 'filtered' ? turn.timeline.length : 1
      expect(turn.timeline.map((entry) => entry.at)).toEqual(Array(entries).fill(event.at))
      return
    }
    expect(event.kind).toBeOneOf(['receipt', 'cancelled'])
    const { version } = turn.message.journey
    const message = { ...before, journey: { ...before.journey, version } }
    expect(turn).toEqual({
      message,
      timeline: [],
      postings: [],
      reports: [],
      calls: [],
      counts: [],
      refs: [],
      revokes: [],
    })
  }

  #watchMoney(before: Message, { message, postings }: Turn): void {
    const { heldMicros, chargedMicros, phase } = message.journey
    for (const posting of postings) {
      expect(posting.amountMicros).toBeGreaterThan(0)
      expect(posting.messageId).toBe(message.id)
      if (posting.kind === 'charge') this.charges.push(posting.amountMicros)
      else if (posting.kind === 'release') this.released += posting.amountMicros
      else expect.fail(`a ${posting.kind} in the middle of a journey`)
    }
    if (before.journey.phase === 'ended') expect(postings).toEqual([])
    const charged = this.charges.reduce((sum, amount) => sum + amount, 0)
    expect(this.charges.length).toBeLessThanOrEqual(1)
    expect(chargedMicros).toBe(charged)
    expect(heldMicros).toBeGreaterThanOrEqual(0)
    expect(heldMicros + charged + this.released).toBe(this.hold)
    if (phase === 'ended') expect(heldMicros).toBe(0)
  }

  #watchReports(before: Message, { message, reports }: Turn): void {
    for (const report of reports) {
      const body = JSON.parse(report.body)
      expect(report.number).toBe(this.reports)
      expect(body.msg_id).toBe(message.id)
      this.reports += 1
      if (body.type === 'link.clicked' || body.type.startsWith('recipient.')) continue
      if (body.status === 'READ') {
        expect(this.ends).toBe(1)
        this.reads += 1
      } else if (body.status === 'QUEUED' || body.status === 'ACCEPTED') {
        expect(message.reportSteps).toBe(true)
        expect(this.ends).toBe(0)
      } else {
        this.ends += 1
      }
    }
    if (message.hook === null || before.journey.phase !== 'ended') return
    expect(this.ends).toBe(1)
    expect(this.reads).toBeLessThanOrEqual(1)
    expect(message.journey.reports).toBe(this.reports)
  }

  #watchSteps(event: JourneyEvent, before: Message, { message, timeline, revokes }: Turn): void {
    const { phase, dueAt, deadlineAt, steps, step, deliveredBy, status } = message.journey
    if (phase === 'ended') expect(dueAt).toBeNull()
    else expect(dueAt).toBeLessThanOrEqual(deadlineAt)
    if (before.journey.phase === 'ended') {
      expect(phase).toBe('ended')
      expect(steps.length).toBe(before.journey.steps.length)
    }
    const opened = steps.length - before.journey.steps.length
    expect(opened).toBeGreaterThanOrEqual(0)
    expect(opened).toBeLessThanOrEqual(event.kind === 'filtered' ? timeline.length : 1)
    if (event.kind === 'filtered') this.#watchFiltered(event, before, message)
    if (event.kind === 'postponed') {
      expect([steps, phase, dueAt]).toEqual([withoutTried(before.journey.steps), 'open', event.until])
      const from = Math.max(event.at, before.journey.postponed?.until ?? event.at)
      expect(deadlineAt - event.until).toBe(Math.max(0, before.journey.deadlineAt - from))
    }
    expect(steps.length).toBeLessThanOrEqual(message.plan.length)
    expect(['DELIVERED', 'READ'].includes(status)).toBe(deliveredBy !== null)
    if (deliveredBy !== null) expect([phase, step]).toEqual(['ended', deliveredBy])
    if (phase === 'carried') expect(steps[step]?.parts.map((part) => part.state)).not.toContain('open')
    for (const [index, { tried = [] }] of steps.entries()) {
      expect(tried).toHaveLength(new Set(tried).size)
      // Only who is on the way from one carrier to the next remembers whom it tried.
      if (tried.length > 0 && index === step && phase === 'open') expect(dueAt).toBe(this.latestAnswerAt)
    }
    if (phase !== 'ended') {
      expect(step).toBe(steps.length - 1)
      for (const revoke of revokes) expect(revoke.step).not.toBe(step)
    }
  }

  /** Steps that are blocked are passed over, all of them and no others. */
  #watchFiltered(
    { step, blocked }: Extract<JourneyEvent, { kind: 'filtered' }>,
    before: Message,
    { journey }: Message,
  ) {
    expect(before.journey).toMatchObject({ step, phase: 'open' })
    const passed = journey.steps.slice(step).flatMap(({ status }, index) => (status === 'FILTERED' ? step + index : []))
    expect(blocked).toEqual(expect.arrayContaining(passed))
    expect(passed).toContain(step)
    if (journey.phase === 'ended')
      expect([journey.status, journey.step]).toEqual(['FILTERED', journey.steps.length - 1])
    else expect(blocked).not.toContain(journey.step)
  }

  #watchRefs(event: JourneyEvent, turn: Turn): void {
    for (const { carrierId, ref, step, part } of turn.refs) this.refs.add(`${carrierId} ${ref} ${step} ${part}`)
    if (event.kind === 'answered') {
      const { carrierId, step } = event
      for (const verdict of event.verdicts) {
        if (verdict.kind !== 'taken') continue
        expect(this.refs).toContain(`${carrierId} ${verdict.ref} ${step} ${verdict.part}`)
      }
    }
    for (const { carrierId, step, refs } of turn.revokes) {
      // A carrier is asked only for what it gave an id to itself.
      for (const ref of refs)
        expect([...this.refs].some((key) => key.startsWith(`${carrierId} ${ref} ${step} `))).toBe(true)
    }
  }
}

function withoutTried(steps: Message['journey']['steps']): unknown {
  return steps.map(({ tried: _, ...step }, index) => (index === steps.length - 1 ? step : steps[index]))
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}

test('after any events in any order, money adds up, and every message ends once and is reported in order', () => {
  fc.assert(
    fc.property(
      aMessage,
      fc.array(anInput, { maxLength: 25 }),
      fc.array(anInput, { maxLength: 10 }),
      (message, inputs, late) => {
        const witness = new Witness(message)
        for (const input of inputs) witness.apply(toEvent(input, witness.message))

        // Time alone brings every message to its end, one lifetime for each step at most.
        for (const _ of message.plan) witness.apply({ kind: 'timeout', at: witness.message.journey.deadlineAt })
        expect(witness.message.journey).toMatchObject({ phase: 'ended', heldMicros: 0 })
        expect(witness.ends).toBe(message.hook === null ? 0 : 1)
        expect(witness.reports).toBe(witness.message.journey.reports)

        for (const input of late) witness.apply(toEvent(input, witness.message))
        expect(witness.ends).toBe(message.hook === null ? 0 : 1)
      },
    ),
    { numRuns: 500 },
  )
})

/** The journey without its counts of what changed nothing. */
function withoutCounts({ journey: { version: _, ...journey } }: Message): unknown {
  const steps = journey.steps.map((step) => ({ ...step, parts: step.parts.map(({ noted: _, ...part }) => part) }))
  return { ...journey, steps }
}

test('carriers that repeat themselves forever do not fill the timeline', () => {
  fc.assert(
    fc.property(aMessage, fc.array(aReceipt, { minLength: 1, maxLength: 8 }), (message, receipts) => {
      const witness = new Witness(message)
      const round = () => {
        const before = witness.entries
        for (const receipt of receipts) witness.apply(receipt)
        return witness.entries - before
      }
      for (let each = 0; each < 20; each += 1) round()
      expect(round()).toBe(0)
    }),
  )
})

test('a lifetime that is not over changes nothing', () => {
  fc.assert(
    fc.property(aMessage, fc.nat({ max: 100_000 }), (message, early) => {
      const at = Math.min(BEGINNING + early, message.journey.deadlineAt - 1)
      expect(advance(deepFreeze(message), { kind: 'timeout', at })).toBeNull()
    }),
  )
})

test('a message whose events all come twice ends as if they had come once', () => {
  const receipts = fc.array(aReceipt, { maxLength: 8 })
  fc.assert(
    fc.property(aMessage, receipts, (message, events) => {
      const once = new Witness(message)
      const twice = new Witness(message)
      const takeAll: JourneyEvent = {
        kind: 'answered',
        at: BEGINNING,
        step: 0,
        carrierId: 'one',
        verdicts: Array.from({ length: message.plan[0]?.parts ?? 0 }, (_, part) => ({
          kind: 'taken',
          ref: `${part}`,
          part,
        })),
        anotherLeft: false,
        jitter: 0,
      }
      for (const event of [takeAll, ...events]) {
        once.apply(event)
        twice.apply(event)
        twice.apply(event)
      }
      expect(withoutCounts(twice.message)).toEqual(withoutCounts(once.message))
      expect([twice.charges, twice.released, twice.reports]).toEqual([once.charges, once.released, once.reports])
    }),
    { numRuns: 150 },
  )
})
