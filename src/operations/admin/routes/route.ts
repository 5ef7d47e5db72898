/** Routes: which numbers go to which carrier. */
import Type from 'typebox'
import type { Route } from '../../../domain/routing/route.ts'
import { readWhole, ruleOf, wholeNumber } from '../../../domain/text/schema-rule.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { findSame, inputFields, keyFields, readItem, resource, setUpOf } from '../endpoint/resource.ts'
import { listEndpoint, removeEndpoint, setItem } from '../endpoint/resource-endpoints.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { listDifferences } from '../fields/differences.ts'
import { checkNew } from '../fields/field-refused.ts'
import {
  ABSENT,
  ACCOUNT_ID,
  field,
  inputSchemas,
  partialSchemas,
  readPublicFields,
  SORTED,
  viewOf,
  viewSchemas,
  withDefaults,
} from '../fields/fields.ts'
import { checkName, checkOperator, checkPrefix } from '../fields/label.ts'
import { CARRIER, CHANNEL, nullable, ONLY_NEW, OPERATORS, READERS, whole } from '../fields/shapes.ts'

/** The bounds of the carrier setting. */
const RING_SECONDS = { min: 0.1, max: 60 } as const
const MAX_PRIORITY = 1_000
const MAX_WEIGHT = 1_000

export const ROUTE = resource<Route>({
  section: 'routes',
  key: ['channel', 'carrierId', 'prefix', 'accountId', 'sender'],
  order: ['channel', 'prefix', 'priority', 'carrierId', 'accountId', 'sender'],
  explicit: ['channel', 'prefix', 'priority'],
  derived: ['channel'],
  fields: {
    channel: CHANNEL,
    carrierId: field('carrier', CARRIER),
    prefix: Type.String({
      maxLength: 15,
      default: '',
      description: 'leading digits of numbers; all numbers by default',
    }),
    accountId: field(
      'account',
      nullable(whole({ minimum: 1 }), { default: null, description: 'only messages of this account' }),
      ACCOUNT_ID,
    ),
    sender: nullable(Type.String(), { default: null, description: 'only messages under this sender name' }),
    operators: field(
      'operators',
      nullable(Type.Array(Type.String()), {
        default: null,
        description: 'only these mobile operators, MCC and MNC, separated by commas',
      }),
      SORTED,
    ),
    priority: whole({
      default: 100,
      description: 'among equally specific routes the lowest is tried first; 100 by default',
    }),
    weight: whole({ default: 1, description: 'share among routes of equal priority and cost; 1 by default' }),
    poolId: field(
      'pool',
      nullable(Type.String(), { default: null, description: 'for calls: pool of calling numbers' }),
    ),
    ringSeconds: field(
      'ring_seconds',
      nullable(Type.Number(), {
        default: null,
        description: 'for calls: ring time, seconds; by default that of the carrier',
      }),
      ABSENT,
    ),
  },
  items: ({ routes }) => routes,
  refer: (route, { carriers, pools }) => {
    const { carrierId, poolId = null } = route
    const carrier = carriers.find(({ id }) => id === carrierId)
    if (carrier === undefined) throw new ChangeRefused(`there is no carrier ${carrierId}`)
    const { channel = carrier.channel } = route as Partial<Route>
    if (channel !== carrier.channel) {
      throw new ChangeRefused(`carrier ${carrierId} is for ${carrier.channel}, not for ${channel}`)
    }
    if (poolId !== null && !pools.some(({ id }) => id === poolId)) throw new ChangeRefused(`there is no pool ${poolId}`)
    return { ...route, channel }
  },
  check: (route, { rows }) => {
    const { channel, accountId, sender, prefix, operators, priority, weight, poolId, ringSeconds } = route
    const isCall = channel === 'call'
    checkPrefix(prefix)
    if (accountId !== null && !rows.accounts.some(({ id }) => id === accountId)) {
      throw new ChangeRefused(`there is no account ${accountId}`)
    }
    for (const operator of operators ?? []) checkOperator(operator, 'operators')
    if (operators?.length === 0) throw new ChangeRefused('operators: must name at least one, or be left out for all')
    checkWhole('a priority', priority, 0, MAX_PRIORITY)
    checkWhole('a weight', weight, 1, MAX_WEIGHT)
    if (sender !== null) checkName('sender', 'the sender of a route', sender)
    if (isCall && poolId === null) throw new ChangeRefused('a route for calls needs a pool of calling numbers')
    if (!isCall && poolId !== null) throw new ChangeRefused('only a route for calls has a pool of numbers')
    if (ringSeconds !== undefined) {
      if (!isCall) throw new ChangeRefused('only a route for calls has a ring time')
      const { min, max } = RING_SECONDS
      if (!(ringSeconds >= min && ringSeconds <= max)) {
        throw new ChangeRefused(`a ring time must be a number of seconds from ${min} to ${max}`)
      }
    }
    return route
  },
  describe: ({ channel, prefix, carrierId, accountId, sender }) => {
    const numbers = prefix === '' ? 'every number' : `${prefix}…`
    const whose = accountId === null ? '' : ` for account ${accountId}`
    return `route ${channel} ${numbers} to ${carrierId}${whose}${sender === null ? '' : ` as ${sender}`}`
  },
  set: (route) => ({ kind: 'set route', route }),
  remove: (route) => ({ kind: 'remove route', route }),
})

const ROUTES: ChangeRule = { what: 'routes', may: OPERATORS }

export const ROUTE_CHANGES = {
  'set route': { ...ROUTES, audit: ({ route }, rows) => itemSet(ROUTE, route, rows) },
  'remove route': { ...ROUTES, audit: ({ route }, rows) => itemRemoved(ROUTE, route, rows) },
} satisfies Changes

const KEY = keyFields(ROUTE)
const CHANGEABLE = inputFields(ROUTE, 'carrierId', 'prefix', 'accountId', 'sender')

export const ROUTE_ENDPOINTS = [
  listEndpoint(ROUTE, {
    name: 'listRoutes',
    path: '/routes',
    command: 'route list',
    summary: 'list routes',
    may: READERS,
    search: true,
  }),
  endpoint({
    name: 'setRoute',
    method: 'PUT',
    path: '/routes',
    command: 'route add',
    summary: 'add a route to a carrier, or replace all fields of the one with the same prefix, account and sender',
    may: OPERATORS,
    body: { ...inputSchemas(inputFields(ROUTE)), new: ONLY_NEW },
    result: Type.Object({
      ...viewSchemas(ROUTE.fields),
      replaced: Type.Array(Type.String(), { description: 'fields of a replaced route that have changed' }),
    }),
    hint: ({ replaced }) =>
      replaced.length === 0
        ? null
        : 'It replaced the route with the same prefix, account and sender. posthorn route set changes single fields.',
    run: async (tools, { new: onlyNew, ...shown }) => {
      const rows = await tools.store.loadDirectory()
      const wanted = readItem(ROUTE, shown, setUpOf(rows, tools.checkSettings))
      const before = findSame(ROUTE, wanted, rows)
      checkNew(onlyNew, before, 'prefix', ROUTE.describe(wanted))
      const route = await setItem(ROUTE, tools, shown)
      const view = viewOf(ROUTE.fields, route)
      return { ...view, replaced: before === null ? [] : listDifferences(viewOf(ROUTE.fields, before), view) }
    },
  }),
  endpoint({
    name: 'changeRoute',
    method: 'PATCH',
    path: '/routes',
    command: 'route set',
    summary: 'change single fields of the route with exactly this prefix, account and sender; others stay unchanged',
    may: OPERATORS,
    body: { ...inputSchemas(KEY), ...partialSchemas(CHANGEABLE) },
    result: Type.Object(viewSchemas(ROUTE.fields)),
    run: async (tools, shown) => {
      const { store, checkSettings } = tools
      if (Object.keys(readPublicFields(CHANGEABLE, shown)).length === 0 && !('ring_seconds' in shown)) {
        throw new ChangeRefused('nothing to change: give operators, priority, weight, pool or ring_seconds')
      }
      const rows = await store.loadDirectory()
      const key = readPublicFields(KEY, withDefaults(KEY, shown)) as Route
      const wanted = ROUTE.refer?.(key, setUpOf(rows, checkSettings)) ?? key
      const before = findSame(ROUTE, wanted, rows)
      if (before === null) throw new UnknownThing(`there is no ${ROUTE.describe(wanted)}: posthorn route list`)
      return viewOf(ROUTE.fields, await setItem(ROUTE, tools, { ...viewOf(ROUTE.fields, before), ...shown }))
    },
  }),
  removeEndpoint(ROUTE, {
    name: 'removeRoute',
    path: '/routes',
    command: 'route remove',
    summary: 'remove the route with exactly this prefix, account and sender',
    may: OPERATORS,
  }),
]

function checkWhole(what: string, number: number, min: number, max: number): void {
  const range = wholeNumber(min, max)
  if (readWhole(number, range) === null) throw new ChangeRefused(`${what} must be ${ruleOf(range)}`)
}
