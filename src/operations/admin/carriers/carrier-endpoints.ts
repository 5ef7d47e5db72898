/** Carriers: settings (never shown), live state, draining. */
import Type, { type Static } from 'typebox'
import type { DirectoryRows, InstalledCarrier } from '../../../domain/directory/directory.ts'
import type { Route } from '../../../domain/routing/route.ts'
import { type AdminTools, endpoint, type LiveCarrier } from '../endpoint/endpoint.ts'
import { inputFields } from '../endpoint/resource.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { CARRIER_CHANNELS, CARRIER_KINDS, type CarrierKind } from '../fields/carrier-kinds.ts'
import { checkNew } from '../fields/field-refused.ts'
import { inputSchemas, readFields, strictObject } from '../fields/fields.ts'
import {
  CARRIER,
  CHANNEL,
  LOSE_RECEIPTS,
  listOf,
  nullable,
  ONLY_NEW,
  OPERATORS,
  PAGING,
  pageOf,
  READERS,
  SECRET_INPUT,
  TIME,
  whole,
  writeTime,
} from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { ROUTE } from '../routes/route.ts'
import { addCarrier } from './carrier.ts'
import { changeCarrierSettings, removedSettings } from './change-carrier-settings.ts'
import { receiptCheck } from './check-removal.ts'
import { hideSecrets } from './kept-secrets.ts'

/** A route that is added together with its carrier. */
export const ROUTE_OF_CARRIER = strictObject(inputSchemas(inputFields(ROUTE, 'carrierId')))

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
  links: Type.Array(Link, { description: 'binds, or the one connection to its service' }),
})

const Carrier = Type.Object({
  carrier: CARRIER,
  kind: Type.Enum(CARRIER_KINDS),
  channel: CHANNEL,
  draining: Type.Boolean(),
  state: nullable(State, { description: 'state in this gateway; null without a running gateway' }),
})

const CarrierKindView = Type.Object({
  kind: Type.Enum(CARRIER_KINDS),
  channels: Type.Array(CHANNEL),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description: 'JSON Schema: `writeOnly` marks secrets, `rule` and `unit` say in words what a value is',
  }),
})

export const CARRIER_ENDPOINTS = [
  endpoint({
    name: 'listCarriers',
    method: 'GET',
    path: '/carriers',
    command: 'carrier list',
    summary: 'list carriers and their state',
    may: READERS,
    query: PAGING,
    result: pageOf(Carrier),
    run: async (tools, paging) =>
      takePage((await tools.store.loadDirectory()).carriers, paging, (each) => view(each, tools)),
  }),
  endpoint({
    name: 'listCarrierKinds',
    method: 'GET',
    path: '/carrier-kinds',
    command: 'carrier kinds',
    summary: 'list the kinds of carriers, with the JSON Schema of their settings',
    may: READERS,
    result: listOf(CarrierKindView),
    columns: ['kind', 'channels'],
    run: async ({ carrierSchemas }) => ({
      data: CARRIER_KINDS.map((kind) => ({
        ...{ kind, channels: [...CARRIER_CHANNELS[kind]] },
        settings: carrierSchemas[kind] as Record<string, unknown>,
      })),
    }),
  }),
  endpoint({
    name: 'showCarrier',
    method: 'GET',
    path: '/carriers/{id}',
    command: 'carrier show',
    summary: 'show a carrier with its settings, secrets as <kept>',
    may: ['owner', 'operator', 'auditor'],
    params: { id: CARRIER },
    result: Type.Object({ ...Carrier.properties, settings: Type.Unknown() }),
    entity: entityOf,
    run: async (tools, { id }) => {
      const carrier = carrierRow(await tools.store.loadDirectory(), id)
      return { ...view(carrier, tools), settings: hideSecrets(carrier.settings) }
    },
  }),
  endpoint({
    name: 'setCarrier',
    method: 'PUT',
    path: '/carriers/{id}',
    ownCommand: 'carrier add',
    summary: 'add a carrier, or replace its settings, which are stored encrypted',
    may: OPERATORS,
    params: { id: CARRIER },
    body: {
      kind: Type.Enum(CARRIER_KINDS),
      channel: Type.Optional(CHANNEL),
      route: Type.Optional(nullable(ROUTE_OF_CARRIER, { description: 'a route to the carrier, added with it' })),
      settings: Type.Record(Type.String(), Type.Unknown(), {
        description: 'settings of this kind: listCarrierKinds has their schemas',
        ...SECRET_INPUT,
      }),
      new: ONLY_NEW,
      lose_receipts: LOSE_RECEIPTS,
    },
    result: Type.Object({
      ...Carrier.properties,
      removed_settings: Type.Array(Type.String(), {
        description: 'names of settings removed because they were not sent again',
      }),
    }),
    entity: entityOf,
    run: async (tools, { id, kind, channel, settings, route, new: onlyNew, lose_receipts: losesReceipts }) => {
      const terms: Partial<Route> | null = route ? readFields(ROUTE.fields, route) : null
      const before = (await tools.store.loadDirectory()).carriers.find((carrier) => carrier.id === id)
      checkNew(onlyNew, before, 'id', `carrier ${id}`)
      const wanted = { id, kind, channel, settings, route: terms }
      await addCarrier(tools.store, tools.checkSettings, wanted, receiptCheck(tools, losesReceipts))
      const carrier = carrierRow(await tools.store.loadDirectory(), id)
      return { ...view(carrier, tools), removed_settings: [...removedSettings(before?.settings, carrier.settings)] }
    },
  }),
  endpoint({
    name: 'changeCarrierSettings',
    method: 'PATCH',
    path: '/carriers/{id}/settings',
    ownCommand: 'carrier set',
    summary: 'change single settings of a carrier; others stay unchanged',
    may: OPERATORS,
    params: { id: CARRIER },
    body: {
      settings: Type.Record(Type.String(), Type.Unknown(), {
        description: 'a merge patch (RFC 7396): null removes a setting, an object changes its members',
        ...SECRET_INPUT,
      }),
      lose_receipts: LOSE_RECEIPTS,
    },
    result: Type.Object({ ...Carrier.properties, settings: Type.Unknown() }),
    entity: entityOf,
    run: async (tools, { id, settings, lose_receipts: losesReceipts }) => {
      const before = carrierRow(await tools.store.loadDirectory(), id)
      await changeCarrierSettings(tools, before, settings, receiptCheck(tools, losesReceipts))
      const carrier = carrierRow(await tools.store.loadDirectory(), id)
      return { ...view(carrier, tools), settings: hideSecrets(carrier.settings) }
    },
  }),
  drainEndpoint(
    'drain',
    true,
    'drain a carrier: it takes no new messages, while parts in flight and receipts still complete',
  ),
  drainEndpoint('resume', false, 'resume a drained carrier'),
  endpoint({
    name: 'connectCarrier',
    method: 'POST',
    path: '/carriers/{id}/connect',
    command: 'carrier connect',
    summary: 'connect a carrier of the running gateway now, if it waits for its next attempt',
    may: OPERATORS,
    params: { id: CARRIER },
    result: Carrier,
    run: async (tools, { id }) => {
      const carrier = carrierRow(await tools.store.loadDirectory(), id)
      runningGateway(tools, 'has connections to carriers').carrier(id)?.connectNow?.()
      return view(carrier, tools)
    },
  }),
  endpoint({
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
  }),
]

function drainEndpoint(action: 'drain' | 'resume', draining: boolean, summary: string) {
  return endpoint({
    name: `${action}Carrier`,
    method: 'POST',
    path: `/carriers/{id}/${action}`,
    command: `carrier ${action}`,
    summary,
    may: OPERATORS,
    params: { id: CARRIER },
    result: Carrier,
    run: async (tools, { id }) => {
      await tools.store.change({ kind: 'set draining', carrierId: id, draining })
      return view(carrierRow(await tools.store.loadDirectory(), id), tools)
    },
  })
}

/** Omits the settings, so that auditors cannot guess secrets from the ETag. */
function entityOf(rows: DirectoryRows, { id }: { readonly id: string }): unknown {
  const found = rows.carriers.find((carrier) => carrier.id === id)
  if (found === undefined) return null
  const { settings: _, ...entity } = found
  return entity
}

function carrierRow(rows: DirectoryRows, id: string): InstalledCarrier {
  const carrier = rows.carriers.find((each) => each.id === id)
  if (carrier === undefined) throw new UnknownThing(`there is no carrier ${id}`)
  return carrier
}

function view({ id, kind, channel, draining }: InstalledCarrier, { live }: AdminTools): Static<typeof Carrier> {
  const seen = live?.carriers().find((carrier) => carrier.id === id)
  const state = seen === undefined ? null : viewState(seen)
  return { carrier: id, kind: kind as CarrierKind, channel, draining, state }
}

function viewState(carrier: LiveCarrier): Static<typeof State> {
  const { up, since, breaker, degraded, inFlight, window, waiting, rate, throughput, lastError, lastErrorAt, links } =
    carrier
  const { droppedReceipts } = carrier
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
