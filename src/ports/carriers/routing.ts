/** The routes of a message as a running gateway sees them, for operators. */
import type { Message } from '../../domain/message/message.ts'
import type { Amount } from '../../domain/money/ledger.ts'
import type { Demotion } from '../../domain/routing/demotion.ts'
import type { Route } from '../../domain/routing/route.ts'

/** Why a carrier takes no message now. */
const CARRIER_OBSTACLES = ['not running', 'draining', 'breaker open', 'disconnected'] as const

export type CarrierObstacle = (typeof CARRIER_OBSTACLES)[number]

/** `open`: it takes messages now. `other node`: it runs on other nodes only, which take its messages. */
export const CARRIER_STANDINGS = ['open', 'other node', ...CARRIER_OBSTACLES] as const

type CarrierStanding = (typeof CARRIER_STANDINGS)[number]

export interface RankedRoute {
  readonly route: Route
  /** How often it comes first among equal routes, from 0 to 1. */
  readonly share: number
  readonly standing: CarrierStanding
  /** That moves the message behind its other carriers; null if there is none. */
  readonly demotion: Demotion | null
  /** What the carrier charges us for one part; null if no cost is set. */
  readonly cost: Amount | null
}

export interface Routing {
  /** The carrier that gets the message, or that it waits for; null if there is none. */
  readonly carrierId: string | null
  /** Why there is none. */
  readonly reason: string | null
  /** Whether all its carriers take nothing now, so that the message waits. */
  readonly waits: boolean
  /** In the order in which they are tried, each carrier once. */
  readonly routes: readonly RankedRoute[]
}

export type ExplainRouting = (message: Message) => Routing
