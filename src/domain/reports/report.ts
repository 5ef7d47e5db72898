/** Reports to clients' hooks. Bodies are written here, once, when the event happens. */

import { type BulkView, messagesByStatus, waitingLines } from '../bulk/bulk.ts'
import type { AccountId } from '../ids/account-id.ts'
import type { MessageId } from '../ids/message-id.ts'
import { type AccountInbound, writeInbound, writeInboundAs } from '../inbound/inbound-message.ts'
import type { InboundReportForm } from '../inbound/inbound-report-form.ts'
import type { JourneyEvent } from '../message/journey-event.ts'
import { channelNameOf, type Message, type StepState } from '../message/message.ts'
import { type Micros, toDecimal } from '../money/money.ts'
import { isUserId } from '../numbers/phone.ts'

/** The types of reports that a hook may ask for, in the order of the reference. */
export const REPORT_TYPES = [
  'message.status',
  'link.clicked',
  'recipient.opted_out',
  'recipient.opted_in',
  'verify.status',
  'bulk.finished',
  'balance.low',
  'message.inbound',
] as const

export type ReportType = (typeof REPORT_TYPES)[number]

export interface Report {
  /** Of the message; of an account event an id of its own, made like one. */
  readonly messageId: MessageId
  readonly accountId: AccountId
  /**
   * 0, 1, 2 … within its message or event, and again for each hook of the client (client-hook.ts); the reports of one
   * to one hook arrive in this order.
   */
  readonly number: number
  /** The client's hook, or EVENT_FEED (event-feed.ts). */
  readonly address: string
  /** A JSON object with members, sent unchanged on every try. */
  readonly body: string
}

/**
 * The `webhook-id`, or the `webhook_id` in an array: the same on every try of one report, different for every report.
 */
export function reportId(report: Pick<Report, 'messageId' | 'number'>): string {
  return `rep_${report.messageId}_${report.number}`
}

/**
 * Returns the body of a POST of several reports: a JSON array of their bodies, each with its `webhook_id` in front, so
 * that clients can drop duplicates.
 */
export function writeReports(reports: readonly Pick<Report, 'messageId' | 'number' | 'body'>[]): string {
  const items = reports.map((report) => `{"webhook_id":"${reportId(report)}",${report.body.slice(1)}`)
  return `[${items.join(',')}]`
}

/** A report before it is decided where it goes. */
type Unaddressed = Omit<Report, 'address'>

export function writeStatusReport(message: Message, at: number, number: number): Unaddressed {
  return toReport(message, number, `${writeHead(message, 'message.status', at)},${writeStatusFacts(message)}}`)
}

/** The status of the message, in the client's terms. */
export function statusFacts({ journey, plan, currency }: Message): object {
  const step = plan[journey.step]
  return {
    status: journey.status,
    channel: step === undefined ? null : channelNameOf(step),
    parts: step?.parts ?? null,
    price: toDecimal(journey.chargedMicros),
    currency,
    error: journey.deliveredBy === null ? (journey.steps[journey.step]?.detail ?? null) : null,
    steps: journey.steps.map((state, index) => ({
      channel: plan[index] && channelNameOf(plan[index]),
      status: state.status,
      at: new Date(state.at).toISOString(),
    })),
    ...(journey.sendAt === undefined ? {} : { send_at: new Date(journey.sendAt).toISOString() }),
  }
}

/** As JSON without braces: `statusFacts` written member by member, which takes a third of the time. */
export function writeStatusFacts({ journey, plan, currency }: Message): string {
  const { status, step, sendAt } = journey
  const planned = plan[step]
  const error = journey.deliveredBy === null ? (journey.steps[step]?.detail ?? null) : null
  let steps = ''
  for (let index = 0; index < journey.steps.length; index += 1) {
    const state = journey.steps[index] as StepState
    const each = plan[index]
    const channel = each === undefined ? '' : `"channel":${JSON.stringify(channelNameOf(each))},`
    steps += `${index === 0 ? '' : ','}{${channel}"status":"${state.status}","at":"${writeTime(state.at)}"}`
  }
  const what = `"status":"${status}","channel":${planned === undefined ? null : JSON.stringify(channelNameOf(planned))}`
  const paid = `"parts":${planned?.parts ?? null},"price":${toDecimal(journey.chargedMicros)}`
  const rest = `"currency":${JSON.stringify(currency)},"error":${JSON.stringify(error)},"steps":[${steps}]`
  return `${what},${paid},${rest}${sendAt === undefined ? '' : `,"send_at":"${writeTime(sendAt)}"`}`
}

/** The end of a verification, in the client's terms: `verify_id` is the id of its message. */
export function writeVerifyReport(message: Message, at: number, number: number): Unaddressed {
  const { journey, plan, currency } = message
  const step = plan[journey.step]
  return writeReport(message, number, 'verify.status', at, {
    verify_id: message.id,
    status: journey.verification?.state,
    channel: step === undefined ? null : channelNameOf(step),
    price: toDecimal(journey.chargedMicros),
    currency,
  })
}

export function writeClickReport(
  message: Message,
  click: { readonly at: number; readonly url: string; readonly code: string },
  number: number,
): Unaddressed {
  return writeReport(message, number, 'link.clicked', click.at, { url: click.url, code: click.code })
}

export function consentReportType(optsOut: boolean): ReportType {
  return optsOut ? 'recipient.opted_out' : 'recipient.opted_in'
}

/** `sender` is null for all senders of the account. */
export function writeConsentReport(
  message: Message,
  change: Omit<Extract<JourneyEvent, { kind: 'consent' }>, 'kind' | 'isNew'>,
  number: number,
): Unaddressed {
  const { at, step, sender, optsOut, by } = change
  const planned = message.plan[step]
  const channel = planned === undefined ? null : channelNameOf(planned)
  return writeReport(message, number, consentReportType(optsOut), at, { sender, channel, by })
}

export interface LowBalance {
  /** An id of its own, made like a message id. */
  readonly eventId: MessageId
  readonly accountId: AccountId
  /** The account's name. */
  readonly name: string
  readonly currency: string
  readonly availableMicros: Micros
  readonly thresholdMicros: Micros
  readonly at: number
}

/** Writes the report of a low balance: the only report of its event. */
export function writeBalanceReport(low: LowBalance): Unaddressed {
  const body = JSON.stringify({
    type: 'balance.low',
    timestamp: new Date(low.at).toISOString(),
    account: low.name,
    available: toDecimal(low.availableMicros),
    threshold: toDecimal(low.thresholdMicros),
    currency: low.currency,
  })
  return { messageId: low.eventId, accountId: low.accountId, number: 0, body }
}

/** Writes the report of a bulk that has ended: the only report of its event, whose id is that of the bulk. */
export function writeBulkReport(bulk: BulkView, at: number): Unaddressed {
  const head = `{"type":"bulk.finished","timestamp":"${new Date(at).toISOString()}"`
  const who = `"id":${bulk.clientId ?? 'null'}${bulk.test ? TEST : ''}`
  const body = `${head},${who},${JSON.stringify(bulkFacts(bulk)).slice(1)}`
  return { messageId: bulk.id, accountId: bulk.accountId, number: 0, body }
}

/** The progress of a bulk, in the client's terms. */
export function bulkFacts(bulk: BulkView): object {
  return {
    bulk_id: bulk.id,
    state: bulk.state,
    lines: bulk.lines,
    refused: bulk.refused,
    waiting: waitingLines(bulk),
    accepted: bulk.accepted,
    repeated: bulk.repeated,
    erased: bulk.erased,
    ...(bulk.skipDuplicates === true ? { duplicates: bulk.duplicates } : {}),
    messages: messagesByStatus(bulk),
    estimate: toDecimal(bulk.estimateMicros),
    price: toDecimal(bulk.totals.chargedMicros),
    currency: bulk.currency,
  }
}

/** Writes the report of an inbound message: the only report of its event, whose id is that of the message. */
export function writeInboundReport(inbound: AccountInbound, form: InboundReportForm): Unaddressed {
  const members = form === 'message.inbound' ? writeInbound(inbound) : writeInboundAs(form, inbound)
  const body = `{"type":"message.inbound",${members}}`
  return { messageId: inbound.id, accountId: inbound.accountId, number: 0, body }
}

/** Writes the report that a client asks for to test a hook. `event` has an id of its own, made like a message id. */
export function writeTestReport(
  event: Pick<Report, 'messageId' | 'accountId'>,
  hookId: number,
  at: number,
): Unaddressed {
  const body = JSON.stringify({ type: 'hook.test', timestamp: new Date(at).toISOString(), hook_id: hookId })
  return { ...event, number: 0, body }
}

/** Whether it is about a test message or a bulk of them. */
export function isTestReport({ body }: Pick<Report, 'body'>): boolean {
  return body.includes(TEST) && JSON.parse(body).test === true
}

const TEST = ',"test":true'

function writeReport(message: Message, number: number, type: ReportType, at: number, rest: object): Unaddressed {
  return toReport(message, number, `${writeHead(message, type, at)},${JSON.stringify(rest).slice(1)}`)
}

function toReport({ id, accountId }: Message, number: number, body: string): Unaddressed {
  return { messageId: id, accountId, number, body }
}

/** Writes the first members, with the opening brace. */
function writeHead({ id, clientId, phone, test }: Message, type: ReportType, at: number): string {
  const head = `{"type":"${type}","timestamp":"${writeTime(at)}"`
  const who = isUserId(phone) ? `null,"user_id":"${phone}"` : phone
  return `${head},"id":${clientId ?? 'null'},"msg_id":${id},"phone":${who}${test ? TEST : ''}`
}

/** The last time that was written: many reports are made within a millisecond. */
let lastTime = { at: Number.NaN, text: '' }

function writeTime(at: number): string {
  if (at !== lastTime.at) lastTime = { at, text: new Date(at).toISOString() }
  return lastTime.text
}
