/** Says in plain sentences what happened to a message and why it was not delivered, and what to look at next. */
import { writeVisible } from './write-result.ts'

/** Of the answer of `traceMessage`. Users of an account see no carriers. */
export interface TracedMessage {
  readonly message: number
  readonly account: number
  readonly status: string
  readonly phase: string
  readonly price: number
  readonly held: number
  readonly currency: string
  readonly accepted_at: string
  readonly due_at: string | null
  readonly test: boolean
  readonly steps: readonly TracedStep[]
  readonly timeline: readonly TracedEvent[]
}

interface TracedStep {
  readonly channel: string
  readonly lifetime_seconds: number
  readonly status: string | null
  readonly carrier?: string | null
  readonly detail?: string | null
}

interface TracedEvent {
  readonly at: string
  readonly component: string
  readonly event: string
  readonly channel: string | null
  readonly carrier?: string | null
  readonly detail: string
}

/** Of the answer of `showMessageDetails`. */
export interface MessageDetails {
  readonly send_at: string | null
  readonly reports_sent: number
  readonly reports_pending: number
  readonly reports_failed: number
}

/** Characters of a carrier's words. */
const MAX_DETAIL = 300

/** Returns one sentence a line. */
export function explainMessage(trace: TracedMessage, details: MessageDetails): readonly string[] {
  const { message, account, status, phase, test, accepted_at, steps } = trace
  const state = phase === 'ended' ? 'which is final' : 'which is not final yet'
  const hints = new Set(steps.flatMap((step) => hintOf(step, eventsOf(trace, step))))
  return [
    `Message ${message} of account ${account} has the status ${status}, ${state}. Accepted at ${accepted_at}.`,
    ...(test ? ['It is a test message: it goes to simulated phones only, and is free.'] : []),
    ...(details.send_at === null ? [] : [`It was planned for ${details.send_at}.`]),
    ...steps.map((step, index) => `Step ${index + 1} of ${steps.length}, ${sentenceOf(step, eventsOf(trace, step))}`),
    ...(trace.due_at === null ? [] : [`Posthorn looks at it again at ${trace.due_at}.`]),
    moneyOf(trace),
    ...reportsOf(details),
    ...[...hints].map((hint) => `Next: ${hint}`),
  ]
}

/** Events of carriers and of the journey at this step; receipts that came too late change nothing. */
function eventsOf({ timeline }: TracedMessage, { channel }: TracedStep): readonly TracedEvent[] {
  return timeline.filter(({ component, channel: of, event }) => {
    return of === channel && event !== 'late' && (component === 'carrier' || component === 'journey')
  })
}

const HANDED = ['taken', 'accepted']
const TROUBLE = ['refused', 'unreachable', 'unclear', 'slow', 'failed', 'no route', 'filtered', 'postponed']

function sentenceOf(step: TracedStep, events: readonly TracedEvent[]): string {
  const { channel, status } = step
  const taken = events.find(({ event }) => HANDED.includes(event))
  const last = events.findLast(({ event }) => TROUBLE.includes(event))
  const carrier = last?.carrier ?? taken?.carrier ?? step.carrier ?? null
  const by = carrier === null ? 'the carrier' : `carrier ${writeVisible(carrier)}`
  const why = quote(step.detail ?? last?.detail ?? '')
  switch (status) {
    case null:
      return `${channel}: not reached.`
    case 'QUEUED':
      return last === undefined
        ? `${channel}: waits for a carrier.`
        : `${channel}: waits; the last try of ${by} ended "${last.event}"${quote(last.detail)}.`
    case 'ACCEPTED':
      return `${channel}: ${by} took it at ${taken?.at ?? 'an unknown time'} and has not reported its delivery.`
    case 'DELIVERED':
    case 'READ':
      return `${channel}: delivered by ${by}${status === 'READ' ? ', and read' : ''}.`
    case 'EXPIRED':
      return taken === undefined
        ? `${channel}: no carrier took it within its lifetime of ${step.lifetime_seconds} seconds${why}.`
        : `${channel}: ${by} took it at ${taken.at} and did not deliver it within its lifetime of ${step.lifetime_seconds} seconds${why}.`
    case 'UNDELIVERABLE':
      return `${channel}: ${by} could not deliver it${why}.`
    case 'REJECTED':
      return `${channel}: refused by ${by}${why}.`
    case 'FILTERED':
      return `${channel}: held back by a rule of this installation${why}.`
    case 'NO ROUTE':
      return `${channel}: no route leads to a carrier${why}.`
    case 'CANCELLED':
      return `${channel}: cancelled by the client before a carrier had it.`
    case 'UNKNOWN':
      return `${channel}: its fate is unknown, because ${by} gave no clear answer${why}.`
    default:
      return `${channel}: ended ${status}${why}.`
  }
}

/** What usually explains more, by the names of the tools. */
function hintOf({ status }: TracedStep, events: readonly TracedEvent[]): readonly string[] {
  const wasTaken = events.some(({ event }) => HANDED.includes(event))
  switch (status) {
    case 'NO ROUTE':
    case 'FILTERED':
      return ['try_route with the account, phone and sender shows which route or guard decides.']
    case 'QUEUED':
      return ['list_carriers shows whether its carriers are up, list_alarms what is wrong.']
    case 'EXPIRED':
      return wasTaken
        ? ['the phone may have been off, or the carrier sends no receipts: show_statistics by carrier compares.']
        : ['list_carriers shows whether its carriers are up, list_alarms what was wrong.']
    case 'ACCEPTED':
      return ['wait until its lifetime ends, or ask the carrier, with the id in the event "taken" of show_message.']
    case 'UNKNOWN':
      return ['ask the carrier, with the id in the event "taken" of show_message.']
    case 'REJECTED':
    case 'UNDELIVERABLE':
      return ["the carrier's words are its reason; correct the number, the sender or the route, or ask the carrier."]
    default:
      return []
  }
}

function moneyOf({ price, held, currency }: TracedMessage): string {
  if (price > 0) return `Charged: ${price} ${currency}.`
  return held > 0 ? `Nothing is charged yet; ${held} ${currency} are held.` : 'Nothing was charged.'
}

function reportsOf({ reports_sent: sent, reports_pending: pending, reports_failed: failed }: MessageDetails) {
  if (sent + pending + failed === 0) return ['No report was written for the client.']
  const line = `Reports to the client: ${sent} delivered, ${pending} waiting, ${failed} given up.`
  return [line, ...(failed + pending === 0 ? [] : ['Next: list_hook_states shows why its hook does not take them.'])]
}

/** Quotes words of a carrier or of ours. */
function quote(detail: string): string {
  const text = detail.trim()
  if (text === '') return ''
  return `: ${writeVisible(text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text)}`
}
