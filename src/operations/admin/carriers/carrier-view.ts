/** How carriers are shown: their set-up, and their state in this gateway. */
import Type, { type Static } from 'typebox'
import type { DirectoryRows, InstalledCarrier } from '../../../domain/directory/directory.ts'
import {
  type CarrierCheck,
  CHECK_OUTCOMES,
  type CheckedNumber,
  numbersOf,
  validCheckOf,
} from '../../../domain/routing/carrier-check.ts'
import type { CarrierBalance } from '../../../ports/carriers/carrier.ts'
import type { AdminTools, LiveCarrier } from '../endpoint/endpoint.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { CARRIER_KINDS, type CarrierKind } from '../fields/carrier-kinds.ts'
import { CARRIER, CHANNEL, nullable, TIME, whole, writeTime } from '../fields/shapes.ts'
import { hideSecrets } from './kept-secrets.ts'
import { shownWebhooksOf, Webhook } from './webhook-addresses.ts'

const Link = Type.Object({
  name: Type.String({ description: 'name of the connection: transceiver 1' }),
  state: Type.String({ description: 'up, connecting or down' }),
  since: TIME,
  in_flight: whole(),
  window: whole(),
  last_error: nullable(Type.String()),
  last_error_at: nullable(TIME),
  next_try_at: nullable(TIME, { description: 'when the next attempt to connect begins; null while none is planned' }),
  misunderstood: whole({ description: 'invalid protocol messages from the peer' }),
})

export const ShownCarrierBalance = Type.Object({
  amount: nullable(Type.String(), { description: 'decimal number; null before the first answer' }),
  currency: nullable(Type.String()),
  at: nullable(TIME, { description: 'when the carrier answered the amount' }),
  low: nullable(Type.Number(), { description: 'below it, the alarm balance_low is opened; null without one' }),
  error: nullable(Type.String(), { description: 'why the last request brought no amount; null if it did' }),
})

const State = Type.Object({
  up: Type.Boolean(),
  since: TIME,
  breaker: Type.String(),
  degraded: nullable(Type.Object({ since: TIME, reason: Type.String() }), {
    description: 'since when and why messages avoid it; null while its breaker is closed',
  }),
  in_flight: whole(),
  window: whole(),
  waiting: whole(),
  rate: Type.Number({ description: 'parts per second, over the last ten seconds' }),
  throughput: nullable(Type.Number()),
  last_error: nullable(Type.String()),
  last_error_at: nullable(TIME),
  dropped_receipts: whole({ description: 'receipts without a message, dropped because too many waited already' }),
  balance: nullable(ShownCarrierBalance, {
    description: 'balance of the account at the carrier; null if it is not asked',
  }),
  links: Type.Array(Link, { description: 'binds, or the one connection to its service' }),
})

const Check = Type.Object({
  country: Type.String({ description: 'of the number, ISO 3166' }),
  outcome: nullable(Type.Enum([...CHECK_OUTCOMES]), { description: 'of the last text; null before the first' }),
  sent_at: nullable(TIME),
  ended_at: nullable(TIME, { description: 'when the text came back or was given up' }),
  message: nullable(whole(), { description: 'its msg_id' }),
  detail: nullable(Type.String()),
})

export const ShownCarrier = Type.Object({
  carrier: CARRIER,
  kind: Type.Enum(CARRIER_KINDS),
  channel: CHANNEL,
  draining: Type.Boolean(),
  provider: nullable(Type.Object({ name: Type.String(), version: Type.Integer() }), {
    description: 'whose ready settings it was added with',
  }),
  checks: Type.Array(Check, { description: 'checks of its receipts by the setting `check`, one for each country' }),
  state: nullable(State, { description: 'state in this gateway; null without a running gateway' }),
})

/** With its settings, for roles that may see them. */
export const CarrierInFull = Type.Object({
  ...ShownCarrier.properties,
  settings: Type.Unknown(),
  webhooks: Type.Array(Webhook, { description: 'addresses for the website of its service' }),
})

/** Omits the settings, so that auditors cannot guess secrets from the ETag. */
export function carrierEntity(rows: DirectoryRows, { id }: { readonly id: string }): unknown {
  const found = rows.carriers.find((carrier) => carrier.id === id)
  if (found === undefined) return null
  const { settings: _, ...entity } = found
  return entity
}

export function carrierRow(rows: DirectoryRows, id: string): InstalledCarrier {
  const carrier = rows.carriers.find((each) => each.id === id)
  if (carrier === undefined) throw new UnknownThing(`there is no carrier ${id}`)
  return carrier
}

export function view(
  carrier: InstalledCarrier,
  rows: Pick<DirectoryRows, 'carrierChecks' | 'inboundNumbers'>,
  { live }: AdminTools,
): Static<typeof ShownCarrier> {
  const { id, kind, channel, draining, settings } = carrier
  const seen = live?.carriers().find((each) => each.id === id)
  const state = seen === undefined ? null : viewState(seen)
  const provider =
    (Object(settings) as { readonly provider?: Static<typeof ShownCarrier>['provider'] }).provider ?? null
  const checks = numbersOf(carrier).map((number) => viewCheck(number, validCheckOf(number, rows)))
  return { carrier: id, kind: kind as CarrierKind, channel, draining, provider, checks, state }
}

export function viewInFull(
  carrier: InstalledCarrier,
  rows: DirectoryRows,
  tools: AdminTools,
): Static<typeof CarrierInFull> {
  return {
    ...view(carrier, rows, tools),
    settings: hideSecrets(carrier.settings),
    webhooks: [...shownWebhooksOf(carrier, tools.publicUrl)],
  }
}

function viewCheck({ country }: CheckedNumber, check: CarrierCheck | undefined): Static<typeof Check> {
  const { outcome = null, sentAt = null, endedAt = null, messageId: message = null, detail = null } = check ?? {}
  return { country, outcome, sent_at: writeTime(sentAt), ended_at: writeTime(endedAt), message, detail }
}

export function viewCarrierBalance(balance: CarrierBalance): Static<typeof ShownCarrierBalance> {
  return { ...balance, at: writeTime(balance.at) }
}

function viewState(carrier: LiveCarrier): Static<typeof State> {
  const { up, since, breaker, degraded, inFlight, window, waiting, rate, throughput, lastError, lastErrorAt, links } =
    carrier
  const { droppedReceipts, balance } = carrier
  return {
    up,
    since: writeTime(since),
    breaker,
    degraded: degraded === null ? null : { since: writeTime(degraded.since), reason: degraded.reason },
    in_flight: inFlight,
    window,
    waiting,
    rate: Math.round(rate * 10) / 10,
    throughput,
    last_error: lastError,
    last_error_at: writeTime(lastErrorAt),
    dropped_receipts: droppedReceipts,
    balance: balance && viewCarrierBalance(balance),
    links: links.map((link) => ({
      name: link.name,
      state: link.state,
      since: writeTime(link.since),
      in_flight: link.inFlight,
      window: link.window,
      last_error: link.lastError,
      last_error_at: writeTime(link.lastErrorAt),
      next_try_at: writeTime(link.nextTryAt),
      misunderstood: link.protocolErrors,
    })),
  }
}
