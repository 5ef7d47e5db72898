/** The running carriers as operators see them in `/carriers` and `/metrics`. */
import type { RoutedChannel } from '../../domain/channels/channel.ts'
import { isTestCarrier } from '../../domain/routing/test-mode.ts'
import type { CarrierBalance, CarrierLink } from '../../ports/carriers/carrier.ts'
import type { BreakerState, Degraded } from './breaker.ts'
import type { CarrierFleet } from './carrier-fleet.ts'

export interface CarrierView {
  readonly id: string
  readonly channel: RoutedChannel
  readonly up: boolean
  /** Since when it is up or down, milliseconds since 1970. */
  readonly since: number
  readonly draining: boolean
  readonly breaker: BreakerState
  /** Since when and why its breaker is not closed; null while it is. */
  readonly degraded: Degraded | null
  /** Parts on the wire. */
  readonly inFlight: number
  /** Maximum of parts on the wire. */
  readonly window: number
  /** Messages queued for it. */
  readonly waiting: number
  /** The carrier's text, without phones and message texts. */
  readonly lastError: string | null
  /** Milliseconds: when it occurred. */
  readonly lastErrorAt: number | null
  /** Parts per second that it took or refused, over the last ten seconds. */
  readonly rate: number
  /** The limit of that rate; null for none. */
  readonly throughput: number | null
  readonly links: readonly CarrierLink[]
  /** Null for a carrier that is not asked for it. */
  readonly balance: CarrierBalance | null
  /** Receipts without a message that were dropped since the start, because too many wait already. */
  readonly droppedReceipts: number
}

interface CarrierCounts {
  /** Returns the number of messages queued for a carrier. */
  readonly waitingFor: (carrierId: string) => number
  readonly droppedReceiptsOf: (carrierId: string) => number
}

export function viewCarriers(fleet: CarrierFleet, counts: CarrierCounts): readonly CarrierView[] {
  const real = fleet.all().filter(({ id }) => !isTestCarrier(id))
  return real.map((carrier) => {
    const { id, channel, window } = carrier
    const { inFlight, throughput, links, ...connection } = carrier.state()
    const degraded = fleet.breakerOf(id)?.degraded ?? null
    const { up, since, lastError, lastErrorAt } = degraded?.account === true ? heldBy(degraded) : connection
    return {
      id,
      channel,
      up,
      since,
      draining: fleet.isDraining(id),
      breaker: fleet.breakerOf(id)?.state ?? 'closed',
      degraded,
      inFlight,
      window,
      waiting: counts.waitingFor(id),
      lastError,
      lastErrorAt,
      rate: fleet.rateOf(id)?.perSecond ?? 0,
      throughput,
      links,
      balance: carrier.balance?.() ?? null,
      droppedReceipts: counts.droppedReceiptsOf(id),
    }
  })
}

/** It can be reached, and takes nothing. */
function heldBy({ since, reason }: Degraded) {
  return { up: false, since, lastError: reason, lastErrorAt: since }
}
