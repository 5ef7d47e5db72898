/** What is known of one message beside its timeline: its recipient, parts, money, links and reports. No texts. */
import Type, { type Static } from 'typebox'
import type { Role } from '../../../domain/accounts/admin-user.ts'
import { describeTarget } from '../../../domain/consent/unsubscribe-link.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { classOf } from '../../../domain/message/message.ts'
import { TRAFFIC_CLASSES } from '../../../domain/message/traffic-class.ts'
import { marginOf } from '../../../domain/money/margin.ts'
import { type Micros, toDecimal } from '../../../domain/money/money.ts'
import { countryOf } from '../../../domain/numbers/country.ts'
import { startOf } from '../../../domain/statistics/message-statistics.ts'
import type { Trace } from '../../../ports/records/trace.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { OWN_MESSAGE } from '../endpoint/own-message.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { BOOK_READERS, MARGIN_READERS, MONEY, nullable, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'
import { WAITS_BECAUSE, WaitingFor, waitingFor, waitsBecause } from './waiting-for.ts'

const MESSAGE = whole({ minimum: 64, description: 'its msg_id' })
const COST = nullable(Type.Number(), { description: 'null if it is unknown, and for roles that see no costs' })

const Part = Type.Object({
  channel: Type.String(),
  part: whole({ description: '1, 2, 3 … within the step' }),
  state: Type.Enum(['open', 'taken', 'delivered', 'failed']),
  carrier: nullable(Type.String()),
  carrier_id: nullable(Type.String(), { description: 'id that the carrier gave it' }),
  category: nullable(Type.String(), { description: 'billing category of the carrier' }),
})

const Posting = Type.Object({
  at: TIME,
  kind: Type.String({ description: 'hold, charge, release or refund' }),
  amount: MONEY,
  carrier: nullable(Type.String()),
  cost: COST,
  cost_currency: nullable(Type.String()),
})

const Details = Type.Object({
  message: MESSAGE,
  country: nullable(Type.String(), { description: 'ISO 3166 code of the number' }),
  mccmnc: nullable(Type.String(), { description: 'MCC and MNC of its operator at acceptance' }),
  operator: nullable(Type.String(), { description: 'its name; null without a running gateway' }),
  send_at: nullable(TIME, { description: 'the planned time' }),
  starts_at: Type.String({
    description: 'RFC 3339: when it was sent now, else the planned time, or else when it was accepted',
  }),
  deadline_at: nullable(TIME, { description: 'end of the current lifetime; null once it has ended' }),
  waits_because: WAITS_BECAUSE,
  waits_for: Type.Array(WaitingFor, {
    description: 'carriers of an open message, in the order in which they are tried; empty without a running gateway',
  }),
  bulk: nullable(whole(), { description: 'the bulk whose line it was' }),
  priority: Type.Enum([...TRAFFIC_CLASSES], { description: 'traffic class: what leaves first' }),
  priority_by: Type.Enum(['operation', 'key', 'request'], { description: 'what gave it that class' }),
  verification: nullable(Type.String(), { description: 'pending, or how it ended' }),
  verification_until: nullable(TIME),
  opted_out: Type.Array(Type.String(), { description: 'senders that the recipient opted out of by this message' }),
  currency: Type.String(),
  cost: COST,
  cost_currency: nullable(Type.String()),
  margin: nullable(Type.Number(), { description: 'charge less cost' }),
  reports_sent: whole(),
  reports_pending: whole(),
  reports_failed: whole(),
  parts: Type.Array(Part),
  postings: Type.Array(Posting),
  links: Type.Array(
    Type.Object({
      code: Type.String(),
      address: Type.String({ description: 'the target, or "unsubscribing"' }),
      humans: whole({ description: 'clicks by humans' }),
      robots: whole({ description: 'clicks by programs' }),
      expires_at: TIME,
    }),
  ),
})

/** Without carriers, and what they cost. */
const ClientDetails = Type.Object({
  ...Type.Omit(Details, ['cost', 'cost_currency', 'margin', 'waits_for']).properties,
  parts: Type.Array(Type.Omit(Part, ['carrier', 'carrier_id', 'category'])),
  postings: Type.Array(Type.Omit(Posting, ['carrier', 'cost', 'cost_currency'])),
})

export const DETAIL_ENDPOINTS = [
  endpoint({
    name: 'showMessageDetails',
    method: 'GET',
    path: '/messages/{message}/details',
    command: 'message show',
    summary: 'show operator, parts, money, links and reports of one message',
    may: READERS,
    clients: { may: CLIENTS, scope: OWN_MESSAGE, result: ClientDetails },
    params: { message: MESSAGE },
    result: Details,
    run: async (tools, { message }, { role }) => {
      const trace = await tools.store.trace(message as MessageId)
      if (trace === null) throw new UnknownThing(`there is no message ${message}`)
      return viewDetails(trace, tools, role)
    },
  }),
]

function viewDetails(trace: Trace, { live, clock }: AdminTools, role: Role): Static<typeof Details> {
  const { message, reports, links } = trace
  const { journey, operator, phone, currency } = message
  const count = (state: string) => reports.filter((each) => each.state === state).length
  const { verification, sendAt = null, bulk = null, phase, deadlineAt, consent } = journey
  return {
    message: message.id,
    country: phone.length === 0 ? null : countryOf(phone),
    mccmnc: operator,
    operator: live?.operations.directory().operatorName(operator) ?? null,
    send_at: writeTime(sendAt),
    starts_at: writeTime(startOf(message)),
    deadline_at: writeTime(phase === 'ended' ? null : deadlineAt),
    waits_because: waitsBecause(message, live, clock.now()),
    waits_for: waitingFor(message, live, clock.now()),
    bulk,
    priority: classOf(message),
    priority_by: journey.priority?.by ?? 'operation',
    verification: verification?.state ?? null,
    verification_until: writeTime(verification?.expiresAt ?? null),
    opted_out: (consent?.steps ?? []).flatMap((step) => message.plan[step]?.sender ?? []),
    currency,
    ...moneyOf(trace, role),
    reports_sent: count('sent'),
    reports_pending: count('pending'),
    reports_failed: count('failed'),
    parts: partsOf(message),
    postings: trace.postings.map((posting) => viewPosting(posting, BOOK_READERS.includes(role))),
    links: links.map(({ code, url, humans, robots, expiresAt }) => {
      return { code, address: describeTarget(url), humans, robots, expires_at: writeTime(expiresAt) }
    }),
  }
}

function partsOf({ plan, journey }: Trace['message']): Static<typeof Part>[] {
  return journey.steps.flatMap((step, index) =>
    step.parts.map(({ state, ref, carrierId, category }, place) => ({
      channel: plan[index]?.channel ?? '',
      part: place + 1,
      state,
      carrier: ref === null ? null : (carrierId ?? step.carrierId),
      carrier_id: ref,
      category: category ?? null,
    })),
  )
}

/** A message is charged once; what was refunded of that is no revenue. */
function moneyOf({ message, postings }: Trace, role: Role) {
  const charged = postings.find(({ kind }) => kind === 'charge')
  const refunds = postings.filter(({ kind }) => kind === 'refund')
  const cost = charged?.charge?.cost ?? null
  const amountMicros = refunds.reduce(
    (left, refund) => left - refund.amountMicros,
    charged?.amountMicros ?? 0,
  ) as Micros
  const margin = marginOf({ amountMicros, cost }, message.currency)
  const seesCost = cost !== null && BOOK_READERS.includes(role)
  return {
    cost: seesCost ? toDecimal(cost.micros) : null,
    cost_currency: seesCost ? cost.currency : null,
    margin: margin !== null && MARGIN_READERS.includes(role) ? toDecimal(margin) : null,
  }
}

function viewPosting({ at, kind, amountMicros, charge }: Trace['postings'][number], seesCost: boolean) {
  const cost = seesCost ? (charge?.cost ?? null) : null
  return {
    at: writeTime(at),
    kind,
    amount: toDecimal(amountMicros),
    carrier: charge?.carrierId ?? null,
    cost: cost === null ? null : toDecimal(cost.micros),
    cost_currency: cost?.currency ?? null,
  }
}
