/** The promises about crashes, each checked against all of the evidence. */
import { expect } from 'vitest'
import type { Channel } from '../../src/domain/channels/channel.ts'
import type { Trace } from '../../src/ports/records/trace.ts'
import type { Asking } from './clients.ts'
import type { Evidence } from './evidence.ts'
import { TOP_UP_MICROS } from './installation.ts'
import type { LivedArrival } from './surroundings.ts'

/** What holds whenever the process dies, and however. */
export function expectKept(evidence: Evidence): void {
  expectExecutedOnce(evidence)
  expectEnded(evidence)
  expectMoneyAddsUp(evidence)
  expectReported(evidence)
  expectNoRcsTwice(evidence)
  expectReceivedOnce(evidence)
}

/**
 * What was acknowledged is there, once; what was refused is not; a request without an answer is there whole or not at
 * all.
 */
function expectExecutedOnce({ askings, traces }: Evidence): void {
  const stored = Map.groupBy(traces, ({ message }) => Number(message.clientId))
  for (const { request, outcome, answer } of askings) {
    const found = request.asked.map(({ clientId }) => stored.get(clientId) ?? [])
    const counts = found.map((each) => each.length)
    const what = `executions of ${request.asked.map(({ clientId }) => clientId)}, ${outcome}`
    if (outcome === 'answered') {
      expect(counts, what).toEqual(request.asked.map(() => 1))
      const ids = found.map(([trace]) => trace?.message.id)
      expect(acknowledgedIds(answer, ids)).toEqual(ids)
    } else {
      const allowed = outcome === 'unknown' && counts[0] === 1 ? 1 : 0
      expect(counts, what).toEqual(request.asked.map(() => allowed))
    }
    expect(outcome !== 'answered' && request.certainty !== 'hope').toBe(false)
  }
  const asked = new Set(askings.flatMap(({ request }) => request.asked.map(({ clientId }) => clientId)))
  expect([...stored.keys()].filter((clientId) => !asked.has(clientId))).toEqual([])
}

/** The `msg_id`s of an answer; a call has none in it, so its own stands in. */
function acknowledgedIds(answer: string, own: readonly (number | undefined)[]): readonly unknown[] {
  const { data } = JSON.parse(answer) as { data: readonly { data: { msg_id?: number; code?: string } }[] }
  return data.map(({ data: result }, index) => result.msg_id ?? own[index])
}

/** Every message has ended, as its phone and its lifetime let it. */
function expectEnded({ askings, traces, counts }: Evidence): void {
  expect(counts).toEqual({ open: 0, pendingReports: 0, failedReports: 0, unreadEvents: 0 })
  const ends = new Map(askings.flatMap(({ request }) => request.asked.map((asked) => [asked.clientId, asked.ends])))
  for (const trace of traces) {
    const { clientId, journey } = trace.message
    expect(journey.phase).toBe('ended')
    expect(ends.get(Number(clientId)), `the end of ${writeTrace(trace)}`).toContain(journey.status)
  }
}

/** The book is right, and the balances are what was paid in less what the messages were charged. */
function expectMoneyAddsUp({ accounts, traces, ledgerFaults }: Evidence): void {
  expect(ledgerFaults).toEqual([])
  for (const { id, balances } of accounts) {
    const own = traces.filter(({ message }) => message.accountId === id)
    const charged = own.reduce((sum, { message }) => sum + message.journey.chargedMicros, 0)
    expect(balances).toEqual({ paid: -TOP_UP_MICROS, available: TOP_UP_MICROS - charged, held: 0, earned: charged })
  }
}

const ENDS = ['DELIVERED', 'EXPIRED', 'UNDELIVERABLE', 'REJECTED', 'FILTERED', 'NO ROUTE', 'UNKNOWN']

/** Hooks received each end once, in order, and the same body under the same id on every try. */
function expectReported({ traces, received }: Evidence): void {
  const reported = new Map<string, string>()
  const numbers = new Map<number, number[]>()
  for (const { id, body } of received) {
    expect(reported.get(id) ?? body, `the repeated report ${id}`).toBe(body)
    if (reported.has(id)) continue
    reported.set(id, body)
    const [, messageId, number] = id.split('_').map(Number)
    numbers.set(messageId ?? 0, [...(numbers.get(messageId ?? 0) ?? []), number ?? 0])
  }
  for (const trace of traces) {
    const { message, reports } = trace
    expect(numbers.get(message.id) ?? [], `reports of ${writeTrace(trace)}`).toEqual(
      reports.map(({ number }) => number),
    )
    for (const { number, body, state } of reports) {
      expect(reported.get(`rep_${message.id}_${number}`)).toBe(body)
      expect(state).toBe('sent')
    }
    const statuses = reports.map(({ body }) => (JSON.parse(body) as { status: string }).status)
    const ends = statuses.filter((status) => ENDS.includes(status))
    expect(ends.length, `ends reported of ${writeTrace(trace)}`).toBe(message.hook === null ? 0 : 1)
    if (statuses.includes('READ')) expect(statuses.slice(-2)).toEqual(['DELIVERED', 'READ'])
  }
  expect(reported.size).toBe(traces.reduce((sum, { reports }) => sum + reports.length, 0))
}

/**
 * The second and later copies of parts, by the life of the gateway that sent the copy before: that life ended with the
 * part in flight. Within one life nothing is sent twice.
 */
export function doublesByLife(arrivals: readonly LivedArrival[], channel: Channel): ReadonlyMap<number, number> {
  const copies = Map.groupBy(
    arrivals.filter((arrival) => arrival.channel === channel),
    // A call comes from the same number each time; the parts of one message differ in their text.
    ({ phone, text }) => `${phone} ${text}`,
  )
  const doubles = new Map<number, number>()
  for (const [part, sent] of copies) {
    const lives = sent.map(({ life }) => life)
    expect(lives, `lives of the gateway that sent ${part} by ${channel}`).toEqual([...new Set(lives)])
    for (const life of lives.slice(0, -1)) doubles.set(life, (doubles.get(life) ?? 0) + 1)
  }
  return doubles
}

/** Google drops a message id that it has seen: not even what was in flight reaches a phone twice. */
function expectNoRcsTwice({ arrivals }: Evidence): void {
  const phones = arrivals.flatMap(({ channel, phone }) => (channel === 'rcs' ? phone : []))
  expect(phones.length).toBe(new Set(phones).size)
}

/** Each inbound message is there once and whole, however often its parts were delivered. */
function expectReceivedOnce({ written, inbound }: Evidence): void {
  const counts = new Map<string, number>()
  for (const text of written) counts.set(text, (counts.get(text) ?? 0) - 1)
  for (const text of inbound) counts.set(text, (counts.get(text) ?? 0) + 1)
  expect(
    [...counts].filter(([, count]) => count !== 0),
    'texts kept too often, or too seldom',
  ).toEqual([])
}

/** A request that is repeated under its key is answered letter for letter as before. */
export function expectSameAnswer(first: Asking, again: Asking): void {
  expect(again.answer, `the repeated ${first.request.body}`).toBe(first.answer)
}

function writeTrace({ message, timeline, reports }: Trace): string {
  const { id, phone, plan, hook, journey } = message
  const events = timeline.map(({ at, kind, step, detail }) => `${new Date(at).toISOString()} ${step} ${kind} ${detail}`)
  const sent = reports.map(
    ({ number, state, body }) => `${number} ${state} ${(JSON.parse(body) as { status: string }).status}`,
  )
  const channels = plan.map((step) => step.channel)
  return `${id} to ${phone}, hook ${hook}: ${channels}; ${JSON.stringify(journey)}; ${events.join('; ')}; reports ${sent}`
}
