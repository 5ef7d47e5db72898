/** The journey of a message as a story: a test applies events and reads everything that they change. */
import { CHANNELS, type Channel } from '../../src/domain/channels/channel.ts'
import { advance } from '../../src/domain/journey/journey.ts'
import type { Turn } from '../../src/domain/journey/turn.ts'
import type { JourneyEvent, ReceiptOutcome, Verdict } from '../../src/domain/message/journey-event.ts'
import type { Message, Step } from '../../src/domain/message/message.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { buildMessage, buildStep, BEGINNING as START } from './build-message.ts'

export const MINUTE = 60_000

/**
 * A step with a lifetime of a minute and a price that identifies the channel: rcs costs 50, chatapp 40, sms 30, a call
 * 20.
 */
export function step(
  channel: Channel,
  options: { readonly priceMicros?: number; readonly parts?: number; readonly lifetimeSeconds?: number } = {},
): Step {
  return buildStep(channel, {
    lifetimeSeconds: options.lifetimeSeconds ?? 60,
    priceMicros: toMicros(options.priceMicros ?? 50 - 10 * CHANNELS.indexOf(channel)),
    parts: options.parts ?? 1,
  })
}

/** A message and all turns of it so far. */
export class Story {
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

  apply(event: JourneyEvent): Turn | null {
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
    return this.apply({
      kind: 'answered',
      at: this.now,
      step: about.step ?? this.journey.step,
      carrierId: about.carrierId ?? `carrier-${about.step ?? this.journey.step}`,
      verdicts: verdicts.map((verdict, index) => ({ part: index, ...verdict })),
      anotherLeft: about.anotherLeft ?? false,
      jitter: 0,
    })
  }

  receipt(outcome: ReceiptOutcome, about: { step?: number; part?: number; ref?: string } = {}) {
    const at = about.step ?? this.journey.step
    const { ref } = about
    return this.apply({
      kind: 'receipt',
      at: this.now,
      step: at,
      part: about.part ?? 0,
      carrierId: `carrier-${at}`,
      outcome,
      ...(ref === undefined ? {} : { ref }),
      detail: `stat:${outcome}`,
    })
  }

  wait(milliseconds: number) {
    this.now += milliseconds
    return this.apply({ kind: 'timeout', at: this.now })
  }

  /** The postings of the whole story, as `charge 30`. */
  get book(): string[] {
    return this.turns.flatMap((turn) => turn.postings.map((posting) => `${posting.kind} ${posting.amountMicros}`))
  }

  /** The reports of the whole story, as the client reads them. */
  get reports(): Record<string, unknown>[] {
    return this.turns.flatMap((turn) => turn.reports.map((report) => JSON.parse(report.body)))
  }

  get reportedStatuses(): unknown[] {
    return this.reports.map((report) => report['status'])
  }

  get timeline(): string[] {
    return this.turns.flatMap((turn) => turn.timeline.map((entry) => `${entry.kind} ${entry.step}`))
  }

  get stepStatuses(): string[] {
    return this.journey.steps.map((state) => state.status)
  }
}

export const taken = (ref = 'ref'): Verdict => ({ kind: 'taken', ref })
export const refused = (status: 'UNDELIVERABLE' | 'REJECTED' = 'UNDELIVERABLE'): Verdict => ({
  kind: 'refused',
  status,
  reason: 'no such subscriber',
})
export const unclear = (): Verdict => ({ kind: 'unclear', reason: 'no answer' })
export const unreachable = (): Verdict => ({ kind: 'unreachable', reason: 'connection refused' })
export const slow = (retryAfterMs: number | null = null): Verdict => ({
  kind: 'slow',
  reason: 'throttled',
  retryAfterMs,
})

export const chain = () => [step('rcs'), step('chatapp'), step('sms')]
