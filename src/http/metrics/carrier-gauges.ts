/** Gauges of carriers and their connections, read on demand. */
import { Gauge, type Registry } from '@prometheus-io/client'
import type { BreakerState } from '../../delivery/carriers/breaker.ts'
import type { CarrierView } from '../../delivery/carriers/view-carriers.ts'
import type { CarrierCheck } from '../../domain/routing/carrier-check.ts'
import type { Demotion } from '../../domain/routing/demotion.ts'
import type { CarrierLink } from '../../ports/carriers/carrier.ts'

/** Values of `posthorn_carrier_` and `posthorn_carrier_link_` gauges. Null if there is no value. */
type GaugeOf<T> = readonly [name: string, help: string, read: (of: T) => number | null]

const BREAKERS: readonly BreakerState[] = ['closed', 'half-open', 'open']

const CARRIER_GAUGES: readonly GaugeOf<CarrierView>[] = [
  ['up', '1 while the carrier is connected.', ({ up }) => Number(up)],
  [
    'since_seconds',
    'Time of the last change between connected and disconnected, seconds since 1970.',
    ({ since }) => since / 1000,
  ],
  ['draining', '1 while the carrier is drained.', ({ draining }) => Number(draining)],
  [
    'breaker',
    'Breaker: 0 closed, 1 half-open (probing), 2 open (no attempts).',
    ({ breaker }) => BREAKERS.indexOf(breaker),
  ],
  ['in_flight', 'Parts in flight.', ({ inFlight }) => inFlight],
  ['window', 'Maximum parts in flight.', ({ window }) => window],
  ['waiting', 'Messages waiting for the carrier.', ({ waiting }) => waiting],
  ['rate', 'Parts per second taken or refused, over the last ten seconds.', ({ rate }) => rate],
  ['throughput', 'Configured maximum of parts per second; absent without a limit.', (each) => each.throughput],
  [
    'dropped_receipts',
    'Receipts without a message dropped since the start: too many waited already.',
    (each) => each.droppedReceipts,
  ],
  [
    'balance',
    'Balance of the account at the carrier, in its own unit; absent before it is known.',
    ({ balance }) => (balance === null || balance.amount === null ? null : Number(balance.amount)),
  ],
  [
    'balance_seconds',
    'Time of the answer with the balance, seconds since 1970.',
    ({ balance }) => (balance === null || balance.at === null ? null : balance.at / 1000),
  ],
]

const LINK_GAUGES: readonly GaugeOf<CarrierLink>[] = [
  ['up', '1 while the link is connected: for SMPP, bound.', ({ state }) => Number(state === 'up')],
  [
    'since_seconds',
    'Time of the last change between connected and disconnected, seconds since 1970.',
    ({ since }) => since / 1000,
  ],
  ['in_flight', 'Parts in flight on the link.', ({ inFlight }) => inFlight],
  ['window', 'Maximum parts in flight on the link.', ({ window }) => window],
  ['misunderstood', 'Invalid protocol messages from the peer.', (each) => each.protocolErrors],
]

const CHECK_GAUGES: readonly GaugeOf<CarrierCheck>[] = [
  [
    'arrived',
    'Last check of receipts: 1 if its text came back, 0 if not; absent while it waits.',
    ({ outcome }) => (outcome === 'waiting' ? null : Number(outcome === 'arrived')),
  ],
  [
    'false_receipt',
    'Last check of receipts: 1 if it was reported as delivered and did not come; absent while it waits.',
    ({ outcome }) => (outcome === 'waiting' ? null : Number(outcome === 'false receipt')),
  ],
  [
    'delay_seconds',
    'Last check of receipts: time until its text came back; absent if it did not.',
    ({ outcome, sentAt, endedAt }) => (outcome === 'arrived' ? ((endedAt ?? sentAt) - sentAt) / 1000 : null),
  ],
]

const DEMOTION_GAUGES: readonly GaugeOf<Demotion>[] = [
  [
    'demoted',
    'Since when a destination avoids the carrier, seconds since 1970; absent if it does not. Kind `observed` moves no message.',
    ({ kind, beganAt }) => (kind === 'kept' ? null : beganAt / 1000),
  ],
]

interface Source {
  readonly demotions: () => readonly Demotion[]
  readonly carriers: () => readonly CarrierView[]
  readonly checks: () => readonly CarrierCheck[]
}

export function addCarrierGauges(registry: Registry, { carriers, checks, demotions }: Source): void {
  addGauges(registry, 'posthorn_carrier_check', ['carrier', 'country'], CHECK_GAUGES, () =>
    checks().map((check) => [{ carrier: check.carrierId, country: check.country }, check]),
  )
  addGauges(registry, 'posthorn_carrier', ['carrier', 'channel', 'country', 'operator', 'kind'], DEMOTION_GAUGES, () =>
    demotions().map((each) => {
      const { carrierId: carrier, channel, country, operator, kind } = each
      return [{ carrier, channel, country, operator: operator ?? '', kind }, each]
    }),
  )
  addGauges(registry, 'posthorn_carrier', ['carrier', 'channel'], CARRIER_GAUGES, () =>
    carriers().map((carrier) => [labelsOf(carrier), carrier]),
  )
  addGauges(registry, 'posthorn_carrier_link', ['carrier', 'channel', 'link'], LINK_GAUGES, () =>
    carriers().flatMap((carrier) =>
      carrier.links.map((link) => [{ ...labelsOf(carrier), link: link.name }, link] as const),
    ),
  )
}

function addGauges<T>(
  registry: Registry,
  prefix: string,
  labelNames: readonly string[],
  gauges: readonly GaugeOf<T>[],
  ask: () => readonly (readonly [labels: Readonly<Record<string, string>>, of: T])[],
): void {
  for (const [name, help, read] of gauges) {
    new Gauge({
      name: `${prefix}_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        this.reset()
        for (const [labels, of] of ask()) {
          const value = read(of)
          if (value !== null) this.set(labels, value)
        }
      },
    })
  }
}

function labelsOf({ id, channel }: CarrierView): { readonly carrier: string; readonly channel: string } {
  return { carrier: id, channel }
}
