/**
 * Demotions: where a carrier delivers too little or too slowly, messages take their other carriers first. Made from
 * counts of messages (judge-quality.ts), or by an operator.
 */
import type { RoutedChannel } from '../channels/channel.ts'
import type { MessageId } from '../ids/message-id.ts'

/** Where the quality of a carrier is judged. */
export interface QualityPlace {
  readonly channel: RoutedChannel
  readonly carrierId: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** MCC and MNC; null for all operators of the country. */
  readonly operator: string | null
}

/**
 * `demoted`: its messages take other carriers first. `observed`: would be demoted if the mode were on. `kept`: an
 * operator decided that it is not demoted.
 */
export const DEMOTION_KINDS = ['demoted', 'observed', 'kept'] as const
export type DemotionKind = (typeof DEMOTION_KINDS)[number]

/**
 * `conversion`: of codes that were checked. `speed`: time to delivery. `check`: a false receipt. `operator`: a user
 * decided it.
 */
export const QUALITY_MEASURES = ['delivery', 'conversion', 'speed', 'check', 'operator'] as const
export type QualityMeasure = (typeof QUALITY_MEASURES)[number]

export interface Demotion extends QualityPlace {
  /** Milliseconds. */
  readonly beganAt: number
  /** Milliseconds; null while it lasts. */
  readonly endedAt: number | null
  readonly kind: DemotionKind
  readonly measure: QualityMeasure
  /** For operators: what was measured, against what; or their words. */
  readonly reason: string
  /** Null while it lasts. */
  readonly endReason: string | null
  /** The part of the messages that still goes to the carrier first, from 0 to 1. */
  readonly trickle: number
  /** Who decided it; null for the gateway. */
  readonly user: string | null
  /** Milliseconds: when it ends unless messages have shown by then that it has to last. Of operators: when it ends. */
  readonly until: number
}

/** A demotion that begins or ends. Refused unless that of its place is still as its writer saw it. */
export interface DemotionChange {
  readonly demotion: Demotion
  /** When the demotion that lasts began; null for none. */
  readonly before: number | null
}

export const MAX_DEMOTION_HOURS = 24 * 90

export function placeKey({ channel, carrierId, country, operator }: QualityPlace): string {
  return `${channel} ${carrierId} ${country} ${operator ?? ''}`
}

/** A message on its way to one of several carriers. */
interface Choosing extends Omit<QualityPlace, 'carrierId' | 'country'> {
  readonly id: MessageId
  /** Null if it is unknown. */
  readonly country: string | null
  /** It carries a one-time code. */
  readonly isCode: boolean
}

/** The demotions that last, for routing. */
export class Demotions {
  readonly all: readonly Demotion[]
  /** Whether none moves messages. */
  readonly isEmpty: boolean
  readonly #byPlace: ReadonlyMap<string, Demotion>

  constructor(all: readonly Demotion[]) {
    this.all = all
    this.#byPlace = new Map(all.map((each) => [placeKey(each), each]))
    this.isEmpty = all.every(({ kind }) => kind !== 'demoted')
  }

  /** Returns what was decided for the place; of an operator, also for all operators of the country. */
  at(place: QualityPlace): Demotion | undefined {
    const own = this.#byPlace.get(placeKey(place))
    return own ?? (place.operator === null ? undefined : this.#byPlace.get(placeKey({ ...place, operator: null })))
  }

  /** Returns the demotion that moves a message away from the carrier; undefined if there is none. */
  of(carrierId: string, { channel, country, operator }: Choosing): Demotion | undefined {
    const found = country === null ? undefined : this.at({ channel, carrierId, country, operator })
    return found?.kind === 'demoted' ? found : undefined
  }

  /** Returns the carriers in the same order, demoted ones last, except for a message of the trickle. */
  order(carrierIds: readonly string[], message: Choosing): readonly string[] {
    const isLast = (id: string) => {
      const demotion = this.of(id, message)
      return demotion !== undefined && !isOfTrickle(message, demotion)
    }
    const last = carrierIds.filter(isLast)
    return last.length === 0 ? carrierIds : [...carrierIds.filter((id) => !isLast(id)), ...last]
  }
}

export const NO_DEMOTIONS = new Demotions([])

/**
 * Whether the message tests the carrier: the same at every try. No message with a code does, and none that is only
 * tried, whose id is 0.
 */
export function isOfTrickle({ id, isCode }: Pick<Choosing, 'id' | 'isCode'>, { trickle }: Demotion): boolean {
  // Another multiplier than that of the draw by weight, so that both are independent.
  return !isCode && (id * 0.754877666246693) % 1 > 1 - trickle
}
