/** Adds a carrier, or replaces the settings of one, and the route that leads to it. */
import type { Channel } from '../../domain/channel.ts'
import { ChangeRefused, type Store } from '../../ports/store.ts'
import { checkRoute, type RouteWish } from './add-route.ts'
import { checkId } from './label.ts'

/** The kinds of carriers and what each of them carries. */
export const CARRIER_CHANNELS = { rbm: 'rcs', viber: 'chatapp', smpp: 'sms', sip: 'call' } as const satisfies Record<
  string,
  Channel
>

export type CarrierKind = keyof typeof CARRIER_CHANNELS

/** Throws an Error that names the setting that is wrong and tells no value of it. */
export type CheckSettings = (kind: CarrierKind, settings: unknown) => void

export interface NewCarrier {
  readonly id: string
  readonly kind: CarrierKind
  readonly settings: unknown
  /** Null leaves the routes as they are. */
  readonly route: Omit<RouteWish, 'carrierId'> | null
}

/** Everything is checked before anything is written. Throws a ChangeRefused. */
export async function addCarrier(store: Store, checkSettings: CheckSettings, wish: NewCarrier): Promise<void> {
  const { id, kind, settings } = wish
  checkId('the id of a carrier', id)
  const rows = await store.loadDirectory()
  const known = rows.carriers.find((carrier) => carrier.id === id)
  if (known !== undefined && known.kind !== kind) {
    throw new ChangeRefused(`carrier ${id} is of kind ${known.kind}, a ${kind} carrier needs another id`)
  }
  try {
    checkSettings(kind, settings)
  } catch (error) {
    throw new ChangeRefused(`the settings of carrier ${id} cannot be used: ${(error as Error).message}`)
  }
  const carrier = { id, kind, channel: CARRIER_CHANNELS[kind], settings }
  const route = wish.route === null ? null : checkRoute(carrier, rows.pools, wish.route)
  await store.change({ kind: 'set carrier', carrier })
  if (route !== null) await store.change({ kind: 'set route', route })
}
