/** Carriers: settings (never shown), live state, draining. */
import Type from 'typebox'
import type { InstalledCarrier } from '../../../domain/directory/directory.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { endpoint, type LiveGateway } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { CARRIER_CHANNELS, CARRIER_KINDS } from '../fields/carrier-kinds.ts'
import { CARRIER, CHANNEL, listOf, NAME_SEARCH, OPERATORS, PAGING, pageOf, READERS } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { CHANGE_CARRIER_SETTINGS, drainEndpoint, REMOVE_CARRIER, SET_CARRIER } from './carrier.ts'
import {
  CarrierInFull,
  carrierEntity,
  carrierRow,
  ShownCarrier,
  ShownCarrierBalance,
  view,
  viewCarrierBalance,
  viewInFull,
} from './carrier-view.ts'
import { TEST_CARRIER } from './test-carrier.ts'

const CarrierKindView = Type.Object({
  kind: Type.Enum(CARRIER_KINDS),
  channels: Type.Array(CHANNEL),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description: 'JSON Schema: `writeOnly` marks secrets, `rule` and `unit` say in words what a value is',
  }),
})

const Registered = Type.Object({
  request: Type.String({ description: 'its place in the settings' }),
  done: Type.Boolean({ description: 'whether the carrier has the webhook' }),
  detail: Type.String({ description: "the carrier's answer" }),
})

export const CARRIER_ENDPOINTS = [
  endpoint({
    name: 'listCarriers',
    method: 'GET',
    path: '/carriers',
    command: 'carrier list',
    summary: 'list carriers and their state',
    may: READERS,
    query: { ...PAGING, search: NAME_SEARCH },
    result: pageOf(ShownCarrier),
    run: async (tools, { search = '', ...paging }) => {
      const rows = await tools.store.loadDirectory()
      const found = rows.carriers.filter(({ id }) => id.includes(search.toLowerCase()))
      return takePage(found, paging, (each) => view(each, rows, tools))
    },
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
        kind,
        channels: [...CARRIER_CHANNELS[kind]],
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
    result: CarrierInFull,
    entity: carrierEntity,
    run: async (tools, { id }) => {
      const rows = await tools.store.loadDirectory()
      return viewInFull(carrierRow(rows, id), rows, tools)
    },
  }),
  SET_CARRIER,
  CHANGE_CARRIER_SETTINGS,
  drainEndpoint(
    'drain',
    true,
    'drain a carrier: it takes no new messages, while parts in flight and receipts still complete',
  ),
  drainEndpoint('resume', false, 'resume a drained carrier'),
  endpoint({
    name: 'connectCarrier',
    needsGateway: true,
    method: 'POST',
    path: '/carriers/{id}/connect',
    command: 'carrier connect',
    summary: 'connect a carrier of the running gateway now, or send it a message, if it waits for its next attempt',
    may: OPERATORS,
    params: { id: CARRIER },
    result: ShownCarrier,
    run: async (tools, { id }) => {
      const rows = await tools.store.loadDirectory()
      const carrier = carrierRow(rows, id)
      runningGateway(tools, 'has connections to carriers').connectNow(id)
      return view(carrier, rows, tools)
    },
  }),
  endpoint({
    name: 'registerCarrier',
    needsGateway: true,
    method: 'POST',
    path: '/carriers/{id}/register',
    command: 'carrier register',
    summary: 'register the webhooks at a carrier whose settings say how; webhooks that it has stay',
    may: OPERATORS,
    params: { id: CARRIER },
    result: listOf(Registered),
    columns: ['request', 'done', 'detail'],
    run: async (tools, { id }) => {
      const row = carrierRow(await tools.store.loadDirectory(), id)
      const live = runningGateway(tools, 'registers webhooks')
      const carrier = live.carrier(id)
      if (carrier?.register === undefined) throw reasonWithout(live, row, 'register')
      return { data: [...(await carrier.register())] }
    },
  }),
  endpoint({
    name: 'askCarrierBalance',
    needsGateway: true,
    method: 'POST',
    path: '/carriers/{id}/balance',
    command: 'carrier balance',
    summary: 'ask a carrier for the balance of the account there now, if its settings say how',
    may: OPERATORS,
    params: { id: CARRIER },
    result: ShownCarrierBalance,
    run: async (tools, { id }) => {
      const row = carrierRow(await tools.store.loadDirectory(), id)
      const live = runningGateway(tools, 'asks for balances')
      const carrier = live.carrier(id)
      if (carrier?.askBalance === undefined) throw reasonWithout(live, row, 'balance')
      return viewCarrierBalance(await carrier.askBalance())
    },
  }),
  TEST_CARRIER,
  REMOVE_CARRIER,
]

/** Why a carrier cannot do what its setting says: it has no such setting, or this gateway could not start it. */
function reasonWithout(live: LiveGateway, { id, settings }: InstalledCarrier, setting: string): ChangeRefused {
  if (Object(settings)[setting] === undefined) return new ChangeRefused(`carrier ${id} has no setting ${setting}`)
  const { lastError = null } = live.carriers().find((each) => each.id === id) ?? {}
  return new ChangeRefused(`carrier ${id} does not run in this gateway${lastError === null ? '' : `: ${lastError}`}`)
}
