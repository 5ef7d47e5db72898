/** Configured carriers: kind, channel and settings. */
import Type from 'typebox'
import type { RoutedChannel } from '../../../domain/channels/channel.ts'
import type { CarrierSetup, DirectoryRows, InstalledCarrier } from '../../../domain/directory/directory.ts'
import type { Route } from '../../../domain/routing/route.ts'
import { fillNamedValues } from '../../../domain/text/named-values.ts'
import { isSettingFaults } from '../../../ports/carriers/setting-fault.ts'
import type { RoutingChange } from '../../../ports/changes/routing-change.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { entry, itemRemoved, itemSet, noEntry } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { checkItem, defaultsOf, inputFields, resource, setUpOf } from '../endpoint/resource.ts'
import { CARRIER_CHANNELS, CARRIER_KINDS, type CarrierKind, type SettingsCheck } from '../fields/carrier-kinds.ts'
import { checkAll, checkField, checkNew, FieldRefused } from '../fields/field-refused.ts'
import { field, inputSchemas, readPublicFields, strictObject } from '../fields/fields.ts'
import { checkId } from '../fields/label.ts'
import { CARRIER, CHANNEL, LOSE_RECEIPTS, nullable, ONLY_NEW, OPERATORS, SECRET_INPUT } from '../fields/shapes.ts'
import { ROUTE } from '../routes/route.ts'
import { checkDestinations } from './carrier-destinations.ts'
import { CarrierInFull, carrierEntity, carrierRow, ShownCarrier, view, viewInFull } from './carrier-view.ts'
import { type CheckReceipts, receiptCheck } from './check-removal.ts'
import { type Answers, fillAnswers, knownAnswers } from './fill-answers.ts'
import { checkKept, fillSecrets, hideSecrets, isSecret } from './kept-secrets.ts'
import { providerNamed } from './provider-endpoints.ts'
import { fillSteps, webhooksOf } from './webhook-addresses.ts'

/** A route that is added together with its carrier. */
export const ROUTE_OF_CARRIER = strictObject(inputSchemas(inputFields(ROUTE, 'carrierId')))

type JsonObject = Readonly<Record<string, unknown>>

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
    what: 'the settings of carriers',
    proof: true,
    audit: ({ carrier }, rows) => itemSet(CARRIER_SETUP, carrier, rows),
  },
  'set draining': {
    ...CARRIERS,
    audit: ({ carrierId, draining }, { carriers }) => {
      const before = carriers.find(({ id }) => id === carrierId)?.draining
      return entry(`carrier ${carrierId}`, { draining: before }, { draining })
    },
  },
  'set carrier check': { ...CARRIERS, audit: noEntry },
  'add carrier times': { ...CARRIERS, audit: noEntry },
  'remove carrier': { ...CARRIERS, audit: ({ carrierId: id }, rows) => itemRemoved(CARRIER_SETUP, { id }, rows) },
} satisfies Changes

const ANSWERS = Type.Optional(
  Type.Record(Type.String(), Type.String(), {
    description: 'what showProvider asks, by name; those of the same carrier are kept if they are not given',
    ...SECRET_INPUT,
  }),
)

export const SET_CARRIER = endpoint({
  name: 'setCarrier',
  method: 'PUT',
  path: '/carriers/{id}',
  ownCommand: 'carrier add',
  summary: 'add a carrier, or replace its settings, which are stored encrypted',
  may: OPERATORS,
  params: { id: CARRIER },
  body: {
    kind: Type.Optional(Type.Enum(CARRIER_KINDS, { description: 'required without `provider`' })),
    channel: Type.Optional(CHANNEL),
    route: Type.Optional(nullable(ROUTE_OF_CARRIER, { description: 'a route to the carrier, added with it' })),
    settings: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'settings of this kind: listCarrierKinds has their schemas',
        ...SECRET_INPUT,
      }),
    ),
    provider: Type.Optional(
      Type.String({ description: 'in place of `kind` and `settings`, a provider whose ready settings are copied' }),
    ),
    answers: ANSWERS,
    new: ONLY_NEW,
    lose_receipts: LOSE_RECEIPTS,
  },
  result: Type.Object({
    ...ShownCarrier.properties,
    removed_settings: Type.Array(Type.String(), {
      description: 'names of settings removed because they were not sent again',
    }),
    set_up: Type.Array(Type.String(), {
      description: 'what to do at the provider, in order; addresses may hold a secret, and are not shown again',
    }),
  }),
  entity: carrierEntity,
  run: async (tools, { id, route, new: onlyNew, lose_receipts: losesReceipts, ...input }) => {
    const rows = await tools.store.loadDirectory()
    const before = rows.carriers.find((each) => each.id === id)
    const [, { setUp, ...planned }] = checkAll(
      () => checkNew(onlyNew, before, 'id', `carrier ${id}`),
      () => {
        const { setUp: steps, ...setup } = chooseSettings(tools, input, before?.settings)
        const terms: Partial<Route> | null = route ? readPublicFields(ROUTE.fields, route) : null
        const wanted = { id, ...setup, route: terms }
        return { setUp: steps, ...planCarrier(rows, (kind, read) => tools.checkSettings(kind, read, tools), wanted) }
      },
    )
    await storeCarrier(tools.store, planned, receiptCheck(tools, losesReceipts))
    const after = await tools.store.loadDirectory()
    const carrier = carrierRow(after, id)
    return {
      ...view(carrier, after, tools),
      removed_settings: [...removedSettings(before?.settings, carrier.settings)],
      set_up: [...fillSteps(setUp, webhooksOf(carrier, tools.publicUrl))],
    }
  },
})

interface SettingsInput extends Partial<Pick<NewCarrier, 'channel'>> {
  readonly kind?: CarrierKind
  readonly settings?: JsonObject
  readonly provider?: string
  readonly answers?: Answers
}

/** Returns the given kind and settings, or those of the provider. Throws ChangeRefused or AdminProblem. */
function chooseSettings(
  { providers, random }: Pick<AdminTools, 'providers' | 'random'>,
  { kind, channel, settings, provider: name, answers }: SettingsInput,
  stored: unknown,
) {
  if (name === undefined) {
    checkField('answers', answers === undefined, 'only beside provider')
    if (kind === undefined) throw new FieldRefused('kind', 'required without provider')
    checkField('settings', settings !== undefined, 'required without provider')
    return { kind, channel, settings, setUp: [] }
  }
  checkField('settings', settings === undefined, 'must not stand beside provider')
  checkField('kind', kind === undefined || kind === 'http', 'must be http with a provider')
  const provider = providerNamed(providers(), name)
  const { channel: served, setUp } = provider
  checkField('channel', channel === undefined || channel === served, `must be ${served} with ${name}`)
  return { kind: 'http', channel: served, settings: fillAnswers(provider, answers ?? {}, stored, random), setUp }
}

export const CHANGE_CARRIER_SETTINGS = endpoint({
  name: 'changeCarrierSettings',
  method: 'PATCH',
  path: '/carriers/{id}/settings',
  ownCommand: 'carrier set',
  summary: 'change single settings of a carrier, or answers to its provider; others stay unchanged',
  may: OPERATORS,
  params: { id: CARRIER },
  body: {
    settings: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'a merge patch (RFC 7396): null removes a setting, an object changes its members',
        ...SECRET_INPUT,
      }),
    ),
    answers: ANSWERS,
    lose_receipts: LOSE_RECEIPTS,
  },
  result: CarrierInFull,
  entity: carrierEntity,
  run: async (tools, { id, settings = {}, answers = {}, lose_receipts: losesReceipts }) => {
    const rows = await tools.store.loadDirectory()
    const before = carrierRow(rows, id)
    const missing = Object.keys(settings).filter((name) => settings[name] === null && !hasSetting(before, name))
    if (missing.length > 0) throw new ChangeRefused(`carrier ${id} has no setting ${missing.join(', ')} to remove`)
    // Of a gateway only: a command on the store may not know the address.
    const reach = tools.live === null ? undefined : tools
    const setUp = setUpOf(rows, (kind, read) => tools.checkSettings(kind, read, reach))
    // Secrets that the patch does not name are kept as with `<kept>`: a change of host requires them.
    const hidden = hideSecrets(before.settings)
    const changed = namingAnswers(before.settings, () => {
      const answered = mergePatch(hidden, changeAnswers(tools, before, answers))
      return checkItem<CarrierSetup>(CARRIER_SETUP, { ...before, settings: mergePatch(answered, settings) }, setUp)
    })
    await receiptCheck(tools, losesReceipts)(before, changed)
    await tools.store.change({ kind: 'all', revision: rows.revision, changes: [CARRIER_SETUP.set(changed)] })
    const after = await tools.store.loadDirectory()
    return viewInFull(carrierRow(after, id), after, tools)
  },
})

/** Returns the constants and secrets that other answers make; nothing without answers. Throws ChangeRefused. */
function changeAnswers({ providers, random }: AdminTools, { id, settings }: InstalledCarrier, answers: Answers) {
  if (Object.keys(answers).length === 0) return {}
  const { name } = Object(Object(settings).provider) as { readonly name?: string }
  if (name === undefined) throw new FieldRefused('answers', `carrier ${id} has no provider`)
  const provider = providerNamed(providers(), name)
  const known = knownAnswers(provider, settings)
  // Those that a later version of the provider asks are not in these settings.
  const asked = Object.entries(provider.ask).filter(([each]) => known.has(each))
  const { constants, secrets } = fillAnswers({ ...provider, ask: Object.fromEntries(asked) }, answers, settings, random)
  return { constants, secrets }
}

/** What is wrong with a constant or secret of a provider is wrong with its answer. */
function namingAnswers<T>(settings: unknown, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof FieldRefused) || Object(settings).provider === undefined) throw error
    const errors = error.errors.map(({ field, detail }) => ({
      field: field.replace(/^settings\.(constants|secrets)\./, 'answers.'),
      detail,
    }))
    throw FieldRefused.of(errors, error.message)
  }
}

export const REMOVE_CARRIER = endpoint({
  name: 'removeCarrier',
  method: 'DELETE',
  path: '/carriers/{id}',
  command: 'carrier remove',
  summary: 'remove a carrier without routes and open messages, with its settings and costs; drain it first',
  may: OPERATORS,
  params: { id: CARRIER },
  query: { lose_receipts: LOSE_RECEIPTS },
  run: async (tools, { id, lose_receipts: losesReceipts }) => {
    const { store } = tools
    const carrier = carrierRow(await store.loadDirectory(), id)
    await receiptCheck(tools, losesReceipts)(carrier, null)
    await store.change({ kind: 'remove carrier', carrierId: id })
  },
})

export interface NewCarrier extends Pick<CarrierSetup, 'id' | 'kind' | 'settings'> {
  /** May be omitted if the kind has only one channel, or for an existing carrier. */
  readonly channel?: RoutedChannel | undefined
  /** Null keeps the routes. */
  readonly route: Partial<Route> | null
}

/** Checks everything before writing. Returns the channel. Throws ChangeRefused. `checkReceipts` of an existing one. */
export async function addCarrier(
  store: SetupStore,
  checkSettings: SettingsCheck,
  wanted: NewCarrier,
  checkReceipts: CheckReceipts = async () => {},
): Promise<RoutedChannel> {
  const planned = planCarrier(await store.loadDirectory(), checkSettings, wanted)
  await storeCarrier(store, planned, checkReceipts)
  return planned.carrier.channel
}

interface PlannedCarrier {
  readonly rows: DirectoryRows
  readonly carrier: CarrierSetup
  readonly changes: readonly RoutingChange[]
}

/** Throws ChangeRefused. */
function planCarrier(
  rows: DirectoryRows,
  checkSettings: SettingsCheck,
  { route, ...wanted }: NewCarrier,
): PlannedCarrier {
  const carrier = checkCarrier(rows, checkSettings, wanted)
  const { id: carrierId, channel } = carrier
  const setUp = { ...setUpOf(rows, checkSettings), carriers: [carrier] }
  const asked = { ...(defaultsOf(ROUTE) as Route), ...route, carrierId, channel }
  const routes = route === null ? [] : [ROUTE.set(checkItem(ROUTE, asked, setUp))]
  return { rows, carrier, changes: [{ kind: 'set carrier', carrier }, ...routes] }
}

async function storeCarrier(
  store: SetupStore,
  { rows, carrier, changes }: PlannedCarrier,
  checkReceipts: CheckReceipts,
): Promise<void> {
  const before = rows.carriers.find(({ id }) => id === carrier.id)
  if (before !== undefined) await checkReceipts(before, carrier)
  await store.change({ kind: 'all', revision: rows.revision, changes })
}

/** `<kept>` stands for the carrier's present secrets. */
function checkCarrier(
  rows: DirectoryRows,
  checkSettings: SettingsCheck,
  wanted: Omit<NewCarrier, 'route'>,
): CarrierSetup {
  const { id, settings } = wanted
  const kind = wanted.kind as CarrierKind
  const known = rows.carriers.find((carrier) => carrier.id === id)
  if (known !== undefined && known.kind !== kind) {
    throw new ChangeRefused(`carrier ${id} is of kind ${known.kind}; choose another id for a ${kind} carrier`)
  }
  const resolve = (given: unknown) => {
    return kind === 'http' ? orRefuse(id, () => fillNamedValues(given, 'named')) : given
  }
  const [, channel, filled] = checkAll(
    () => checkId('id', 'the id of a carrier', id),
    () => chooseChannel(id, kind, wanted.channel ?? known?.channel),
    () => {
      const { filled: full, kept } = fillSecrets(id, settings, known?.settings)
      const resolved = resolve(full)
      checkAll(
        () => checkKept(id, kept, resolve(known?.settings), resolved),
        () => checkDestinations(id, resolved),
        () => orRefuse(id, () => checkSettings(kind, full)),
      )
      return full
    },
  )
  return { id, kind, channel, settings: filled }
}

function orRefuse<T>(carrierId: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const message = `invalid settings of carrier ${carrierId}: ${(error as Error).message}`
    if (!isSettingFaults(error)) throw new ChangeRefused(message)
    const errors = error.faults.map(({ path, rule }) => ({ field: `settings.${path}`, detail: rule }))
    throw FieldRefused.of(errors, message)
  }
}

function chooseChannel(id: string, kind: CarrierKind, named: RoutedChannel | undefined): RoutedChannel {
  const possible: readonly RoutedChannel[] = CARRIER_CHANNELS[kind]
  const channel = named ?? (possible.length === 1 ? possible[0] : undefined)
  if (channel !== undefined && possible.includes(channel)) return channel
  const names = possible.join(', ')
  throw new FieldRefused(
    'channel',
    `must be ${possible.length === 1 ? '' : 'one of '}${names}`,
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

/** Returns the top-level names that the new settings no longer have. */
function removedSettings(before: unknown, after: unknown): readonly string[] {
  const left = new Set(Object.keys(after ?? {}))
  return Object.keys(before ?? {}).filter((name) => !left.has(name))
}

function hasSetting({ settings }: InstalledCarrier, name: string): boolean {
  return typeof settings === 'object' && settings !== null && Object.hasOwn(settings, name)
}

/** RFC 7396: null removes a setting, an object changes its members. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function drainEndpoint(action: 'drain' | 'resume', draining: boolean, summary: string) {
  return endpoint({
    name: `${action}Carrier`,
    method: 'POST',
    path: `/carriers/{id}/${action}`,
    command: `carrier ${action}`,
    summary,
    may: OPERATORS,
    params: { id: CARRIER },
    result: ShownCarrier,
    run: async (tools, { id }) => {
      await tools.store.change({ kind: 'set draining', carrierId: id, draining })
      const rows = await tools.store.loadDirectory()
      return view(carrierRow(rows, id), rows, tools)
    },
  })
}
