/** Adds a carrier, or replaces the settings of one, and the route that leads to it. */
import { type Channel, MESSAGE_CHANNELS } from '../../domain/channel.ts'
import type { CarrierSetup, DirectoryRows } from '../../domain/directory.ts'
import type { SetupStore } from '../../ports/setup-store.ts'
import { ChangeRefused } from '../../ports/store-errors.ts'
import { checkRoute, type RouteWish } from './add-route.ts'
import { checkDestinations } from './carrier-destinations.ts'
import { fillSecrets } from './kept-secrets.ts'
import { checkId } from './label.ts'

/** The kinds of carriers, and what each of them can carry; one carrier carries one channel. */
export const CARRIER_CHANNELS = {
  rbm: ['rcs'],
  viber: ['chatapp'],
  whatsapp: ['chatapp'],
  smpp: ['sms'],
  sip: ['call'],
  http: MESSAGE_CHANNELS,
} as const satisfies Record<string, readonly Channel[]>

export type CarrierKind = keyof typeof CARRIER_CHANNELS

/** Throws an Error that names the setting that is wrong and tells no value of it. */
export type CheckSettings = (kind: CarrierKind, settings: unknown) => void

export interface NewCarrier {
  readonly id: string
  readonly kind: CarrierKind
  /** May be missing where the kind leaves no choice, or the carrier has one already. */
  readonly channel?: Channel | undefined
  readonly settings: unknown
  /** Null leaves the routes as they are. */
  readonly route: Omit<RouteWish, 'carrierId'> | null
}

/** Everything is checked before anything is written. Answers with its channel. Throws a ChangeRefused. */
export async function addCarrier(store: SetupStore, checkSettings: CheckSettings, wish: NewCarrier): Promise<Channel> {
  const rows = await store.loadDirectory()
  const carrier = checkCarrier(rows, checkSettings, wish)
  const route = wish.route === null ? null : checkRoute(carrier, rows.pools, wish.route)
  const setCarrier = { kind: 'set carrier', carrier } as const
  const changes = route === null ? [setCarrier] : [setCarrier, { kind: 'set route', route } as const]
  await store.change({ kind: 'all', revision: rows.revision, changes })
  return carrier.channel
}

/** The carrier that a wish makes; `<kept>` stands for the secrets that it has. Throws a ChangeRefused. */
export function checkCarrier(
  rows: DirectoryRows,
  checkSettings: CheckSettings,
  wish: Omit<NewCarrier, 'route'>,
): CarrierSetup {
  const { id, kind, settings } = wish
  checkId('the id of a carrier', id)
  const known = rows.carriers.find((carrier) => carrier.id === id)
  if (known !== undefined && known.kind !== kind) {
    throw new ChangeRefused(`carrier ${id} is of kind ${known.kind}, a ${kind} carrier needs another id`)
  }
  const channel = chooseChannel(wish, known?.channel)
  const filled = fillSecrets(id, settings, known?.settings)
  checkDestinations(id, filled)
  try {
    checkSettings(kind, filled)
  } catch (error) {
    throw new ChangeRefused(`the settings of carrier ${id} cannot be used: ${(error as Error).message}`)
  }
  return { id, kind, channel, settings: filled }
}

function chooseChannel({ id, kind, channel: wished }: Omit<NewCarrier, 'route'>, known: Channel | undefined): Channel {
  const possible: readonly Channel[] = CARRIER_CHANNELS[kind]
  const channel = wished ?? known ?? (possible.length === 1 ? possible[0] : undefined)
  if (channel !== undefined && possible.includes(channel)) return channel
  const words = possible.join(', ')
  throw new ChangeRefused(
    channel === undefined
      ? `carrier ${id} needs a channel, for a ${kind} carrier can have ${words}`
      : `a ${kind} carrier cannot have the channel ${channel}, but ${words}`,
  )
}
