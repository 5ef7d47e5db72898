/** Configured carriers: kind, channel and settings. */
import Type from 'typebox'
import type { RoutedChannel } from '../../../domain/channels/channel.ts'
import type { CarrierSetup, DirectoryRows } from '../../../domain/directory/directory.ts'
import type { Route } from '../../../domain/routing/route.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { entry, itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { checkItem, defaultsOf, resource, setUpOf } from '../endpoint/resource.ts'
import { CARRIER_CHANNELS, CARRIER_KINDS, type CarrierKind, type CheckSettings } from '../fields/carrier-kinds.ts'
import { field } from '../fields/fields.ts'
import { checkId } from '../fields/label.ts'
import { CARRIER, CHANNEL, OPERATORS } from '../fields/shapes.ts'
import { ROUTE } from '../routes/route.ts'
import { checkDestinations } from './carrier-destinations.ts'
import type { CheckReceipts } from './check-removal.ts'
import { fillSecrets, hideSecrets, isSecret } from './kept-secrets.ts'

export const CARRIER_SETUP = resource<CarrierSetup>({
  section: 'carriers',
  key: ['id'],
  isReferredTo: true,
  fields: {
    id: CARRIER,
    kind: Type.Enum([...CARRIER_KINDS]),
    channel: CHANNEL,
    settings: field('settings', Type.Record(Type.String(), Type.Unknown()), {
      view: (settings) => sortKeys(hideSecrets(settings)),
      read: (settings) => settings,
    }),
  },
  items: ({ carriers }) => carriers,
  check: (carrier, { rows, checkSettings }) => checkCarrier(rows, checkSettings, carrier),
  describe: ({ id, kind }) => `carrier ${id} (${kind})`,
  subject: ({ id }) => `carrier ${id}`,
  details: ({ channel, settings }) => ({ channel, ...Object(settings) }),
  isSecret,
  set: ({ id, kind, channel, settings }) => ({ kind: 'set carrier', carrier: { id, kind, channel, settings } }),
  remove: ({ id }) => ({ kind: 'remove carrier', carrierId: id }),
})

const CARRIERS: ChangeRule = { what: 'carriers', may: OPERATORS }

export const CARRIER_CHANGES = {
  'set carrier': {
    ...CARRIERS,
    // They hold secrets and decide where messages go.
    ...{ what: 'the settings of carriers', proof: true },
    audit: ({ carrier }, rows) => itemSet(CARRIER_SETUP, carrier, rows),
  },
  'set draining': {
    ...CARRIERS,
    audit: ({ carrierId, draining }, { carriers }) => {
      const before = carriers.find(({ id }) => id === carrierId)?.draining
      return entry(`carrier ${carrierId}`, { draining: before }, { draining })
    },
  },
  'remove carrier': { ...CARRIERS, audit: ({ carrierId: id }, rows) => itemRemoved(CARRIER_SETUP, { id }, rows) },
} satisfies Changes

export interface NewCarrier extends Pick<CarrierSetup, 'id' | 'kind' | 'settings'> {
  /** May be omitted if the kind has only one channel, or for an existing carrier. */
  readonly channel?: RoutedChannel | undefined
  /** Null keeps the routes. */
  readonly route: Partial<Route> | null
}

/** Checks everything before writing. Returns the channel. Throws ChangeRefused. `checkReceipts` of an existing one. */
export async function addCarrier(
  store: SetupStore,
  checkSettings: CheckSettings,
  { route, ...wanted }: NewCarrier,
  checkReceipts: CheckReceipts = async () => {},
): Promise<RoutedChannel> {
  const rows = await store.loadDirectory()
  const carrier = checkCarrier(rows, checkSettings, wanted)
  const { id: carrierId, channel } = carrier
  const before = rows.carriers.find(({ id }) => id === carrierId)
  if (before !== undefined) await checkReceipts(before, carrier)
  const setUp = { ...setUpOf(rows, checkSettings), carriers: [carrier] }
  const asked = { ...(defaultsOf(ROUTE) as Route), ...route, carrierId, channel }
  const routes = route === null ? [] : [ROUTE.set(checkItem(ROUTE, asked, setUp))]
  await store.change({
    kind: 'all',
    revision: rows.revision,
    changes: [{ kind: 'set carrier', carrier }, ...routes],
  })
  return channel
}

/** `<kept>` stands for the carrier's present secrets. */
function checkCarrier(
  rows: DirectoryRows,
  checkSettings: CheckSettings,
  wanted: Omit<NewCarrier, 'route'>,
): CarrierSetup {
  const { id, settings } = wanted
  const kind = wanted.kind as CarrierKind
  checkId('the id of a carrier', id)
  const known = rows.carriers.find((carrier) => carrier.id === id)
  if (known !== undefined && known.kind !== kind) {
    throw new ChangeRefused(`carrier ${id} is of kind ${known.kind}; choose another id for a ${kind} carrier`)
  }
  const channel = chooseChannel(id, kind, wanted.channel ?? known?.channel)
  const filled = fillSecrets(id, settings, known?.settings)
  checkDestinations(id, filled)
  try {
    checkSettings(kind, filled)
  } catch (error) {
    throw new ChangeRefused(`invalid settings of carrier ${id}: ${(error as Error).message}`)
  }
  return { id, kind, channel, settings: filled }
}

function chooseChannel(id: string, kind: CarrierKind, named: RoutedChannel | undefined): RoutedChannel {
  const possible: readonly RoutedChannel[] = CARRIER_CHANNELS[kind]
  const channel = named ?? (possible.length === 1 ? possible[0] : undefined)
  if (channel !== undefined && possible.includes(channel)) return channel
  const names = possible.join(', ')
  throw new ChangeRefused(
    channel === undefined
      ? `carrier ${id} needs a channel: ${kind} carriers serve ${names}`
      : `a ${kind} carrier cannot serve the channel ${channel}; it serves ${names}`,
  )
}

/** Sorts object keys, so that equal settings have equal texts. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, each]) => [name, sortKeys(each)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
