/**
 * All effects of one message, in short lines that a test can compare as a whole: how its steps ended, the answers of
 * carriers, the postings, the arrivals at the phone, and the reports.
 */

import { expect } from 'vitest'
import type { Message } from '../../src/domain/message/message.ts'
import { toDecimal } from '../../src/domain/money/money.ts'
import { isUserId } from '../../src/domain/numbers/phone.ts'
import type { Trace } from '../../src/ports/records/trace.ts'
import type { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import type { ReceivedReport } from './received-report.ts'

export interface Story {
  /** `rcs EXPIRED`, in the order of the plan, as far as it went. */
  readonly steps: readonly string[]
  /** `rcs taken`, in order; revocations are apart, for they run beside what comes next. */
  readonly timeline: readonly string[]
  /** Channels whose message the carrier was asked to take back. */
  readonly revoked: readonly string[]
  /** `hold 0.05`. */
  readonly money: readonly string[]
  /** Channels of what the phone's carriers took, one for each part. */
  readonly arrived: readonly string[]
  /**
   * `DELIVERED by rcs for 0.03`, then the requested time and the error, in the order in which the hook first received
   * them.
   */
  readonly reports: readonly string[]
}

/** Fails the test if the reports of the hook differ from those that the store has as sent. */
export function writeStory(trace: Trace, received: readonly ReceivedReport[], traffic: PhoneTraffic): Story {
  const { message } = trace
  const channelOf = (step: number) => message.plan[step]?.channel ?? 'none'
  const firsts = received.filter((report, index) => received.findIndex(({ id }) => id === report.id) === index)
  for (const report of received) expect(report.body).toEqual(firsts.find(({ id }) => id === report.id)?.body)
  expect(firsts.map(({ id }) => id)).toEqual(firsts.map((_, number) => `rep_${message.id}_${number}`))
  const sent = trace.reports.filter(({ state }) => state === 'sent')
  expect(firsts.map(({ body }) => body)).toEqual(sent.map(({ body }) => JSON.parse(body)))

  const last = firsts.findLast(({ body }) => body['type'] === 'message.status')
  const seen = message.journey.steps.map(({ status, at }, step) => ({
    channel: channelOf(step),
    status,
    at: new Date(at).toISOString(),
  }))
  if (last !== undefined && message.journey.phase === 'ended') expect(last.body['steps']).toEqual(seen)

  const entries = trace.timeline.map(({ kind, step }) => ({ kind, channel: channelOf(step) }))
  return {
    steps: message.journey.steps.map(({ status }, step) => `${channelOf(step)} ${status}`),
    timeline: entries.flatMap(({ kind, channel }) => (kind === 'revoked' ? [] : `${channel} ${kind}`)),
    revoked: entries.flatMap(({ kind, channel }) => (kind === 'revoked' ? channel : [])),
    money: trace.postings.map(({ kind, amountMicros }) => `${kind} ${toDecimal(amountMicros)}`),
    arrived: traffic.to(message.phone).map(({ channel }) => channel),
    reports: firsts.map(({ body }) => describeReport(body, message)),
  }
}

function describeReport(body: ReceivedReport['body'], message: Message): string {
  const { type, timestamp, id, msg_id, phone, user_id, send_at, ...rest } = body
  expect({ id, msg_id, phone: user_id ?? phone }).toEqual({
    id: message.clientId === null ? null : JSON.parse(message.clientId),
    msg_id: message.id,
    phone: isUserId(message.phone) ? message.phone : Number(message.phone),
  })
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  if (type === 'link.clicked') return `clicked ${rest['url']}`
  if (String(type).startsWith('recipient.')) return `${type} of ${rest['sender']} by ${rest['by']}`
  if (type === 'verify.status') {
    expect(Object.keys(rest)).toEqual(['verify_id', 'status', 'channel', 'price', 'currency'])
    expect(rest).toMatchObject({ verify_id: message.id, currency: message.currency })
    return `${rest['status']} by ${rest['channel']} for ${rest['price']}`
  }
  expect(type).toBe('message.status')
  expect(Object.keys(rest)).toEqual(['status', 'channel', 'parts', 'price', 'currency', 'error', 'steps'])
  const step = message.plan.find(({ channel }) => channel === rest['channel'])
  expect(rest).toMatchObject({ parts: step?.parts, currency: message.currency })
  const { sendAt } = message.journey
  expect(send_at).toBe(sendAt === undefined ? undefined : new Date(sendAt).toISOString())
  const planned = send_at === undefined ? '' : `, sent at ${send_at}`
  const error = rest['error'] === null ? '' : `: ${rest['error']}`
  return `${rest['status']} by ${rest['channel']} for ${rest['price']}${planned}${error}`
}
