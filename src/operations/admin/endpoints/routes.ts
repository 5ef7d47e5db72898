/** Routes: which numbers go to which carrier; pools of calling numbers; whose numbers they are. */
import Type, { type Static } from 'typebox'
import { toAccountId } from '../../../domain/account.ts'
import type { NumberPool, Route } from '../../../domain/route.ts'
import { addPool, FIRST_CODE_DIGITS, importPool } from '../add-pool.ts'
import { addRoute } from '../add-route.ts'
import { referTo, toRanges } from '../configuration.ts'
import { endpoint } from '../endpoint.ts'
import { importOperators } from '../import-operators.ts'
import { removeRoute } from '../remove-route.ts'
import { takePage } from '../take-page.ts'
import { ROUTE_TERMS, readRouteTerms } from './route-terms.ts'
import { ACCOUNT, CARRIER, CHANNEL, nullable, OPERATORS, PAGING, pageOf, READERS, whole } from './shapes.ts'

const POOL = Type.String({ maxLength: 40, description: 'your name for the pool', examples: ['berlin'] })

/** What tells a route from the others of its channel. */
const KEY = { carrier: CARRIER, prefix: ROUTE_TERMS.prefix, account: ROUTE_TERMS.account, sender: ROUTE_TERMS.sender }

const RouteView = Type.Object({
  channel: CHANNEL,
  carrier: CARRIER,
  prefix: Type.String(),
  account: nullable(ACCOUNT),
  sender: nullable(Type.String()),
  operators: nullable(Type.Array(Type.String())),
  priority: whole(),
  weight: whole(),
  pool: nullable(Type.String()),
  ring_seconds: nullable(Type.Number()),
})

const Pool = Type.Object({
  pool: POOL,
  code_digits: whole(),
  numbers: whole(),
  ranges: Type.Array(Type.String()),
})

export const ROUTE_ENDPOINTS = [
  endpoint({
    name: 'listRoutes',
    method: 'GET',
    path: '/routes',
    command: 'route list',
    summary: 'list routes',
    may: READERS,
    query: PAGING,
    result: pageOf(RouteView),
    run: async ({ store }, paging) => takePage((await store.loadDirectory()).routes, paging, viewRoute),
  }),
  endpoint({
    name: 'setRoute',
    method: 'PUT',
    path: '/routes',
    command: 'route add',
    summary: 'add a route to a carrier, or replace the one with the same prefix, account and sender',
    may: OPERATORS,
    body: { carrier: CARRIER, ...ROUTE_TERMS },
    result: RouteView,
    run: async ({ store }, { carrier, ...terms }) =>
      viewRoute(await addRoute(store, { carrierId: carrier, ...readRouteTerms(terms) })),
  }),
  endpoint({
    name: 'removeRoute',
    method: 'DELETE',
    path: '/routes',
    command: 'route remove',
    summary: 'remove the route with exactly this prefix, account and sender',
    may: OPERATORS,
    query: KEY,
    run: async ({ store }, { carrier: carrierId, prefix = '', account = null, sender = null }) => {
      await removeRoute(store, { carrierId, prefix, accountId: account === null ? null : toAccountId(account), sender })
      return undefined
    },
  }),
  endpoint({
    name: 'listPools',
    method: 'GET',
    path: '/pools',
    command: 'pool list',
    summary: 'list number pools',
    may: READERS,
    query: PAGING,
    result: pageOf(Pool),
    run: async ({ store }, paging) => takePage((await store.loadDirectory()).pools, paging, viewPool),
  }),
  endpoint({
    name: 'setPool',
    method: 'PUT',
    path: '/pools/{id}',
    command: 'pool add',
    summary: 'create a number pool, or replace its numbers; the last digits of a number are the code',
    may: OPERATORS,
    params: { id: POOL },
    body: {
      numbers: Type.Array(Type.String(), {
        description: 'numbers and ranges, separated by commas',
        examples: ['4930123400000-4930123400999'],
      }),
      code_digits: Type.Optional(whole({ description: 'digits of a code, 4 to 6', default: FIRST_CODE_DIGITS })),
    },
    result: Pool,
    run: async ({ store }, { id, numbers, code_digits: codeDigits = FIRST_CODE_DIGITS }) =>
      viewPool(await addPool(store, { id, numbers, codeDigits })),
  }),
  endpoint({
    name: 'importPool',
    method: 'PUT',
    path: '/pools/{id}/numbers',
    summary: 'create a pool from a file, or replace its numbers',
    may: OPERATORS,
    params: { id: POOL },
    body: {
      csv: Type.String({ description: 'a number or a range in each line: 4930123400000-4930123400999' }),
      code_digits: Type.Optional(whole({ description: 'digits of a code, 4 to 6; as before without, 4 at first' })),
    },
    result: Pool,
    mostBytes: 8 * 1024 * 1024,
    run: async ({ store }, { id, csv, code_digits: codeDigits }) =>
      viewPool(await importPool(store, { id, csv, codeDigits })),
  }),
  endpoint({
    name: 'removePool',
    method: 'DELETE',
    path: '/pools/{id}',
    command: 'pool remove',
    summary: 'remove a pool that no route uses',
    may: OPERATORS,
    params: { id: POOL },
    run: async ({ store }, { id }) => {
      await store.change({ kind: 'remove pool', poolId: id })
      return undefined
    },
  }),
  endpoint({
    name: 'showOperators',
    method: 'GET',
    path: '/operators',
    command: 'operator show',
    summary: 'show the size and the hash of the table of operators',
    may: READERS,
    result: Type.Object({ prefixes: whole(), sha256: Type.String() }),
    run: async ({ store }) => referTo((await store.loadDirectory()).operators),
  }),
  endpoint({
    name: 'importOperators',
    method: 'PUT',
    path: '/operators',
    summary: 'replace the table of number prefixes and operators',
    may: OPERATORS,
    body: { csv: Type.String({ description: 'a line prefix,mccmnc,name for each prefix: 4917,26202,Vodafone' }) },
    result: Type.Object({ prefixes: whole() }),
    mostBytes: 32 * 1024 * 1024,
    run: async ({ store }, { csv }) => ({ prefixes: await importOperators(store, csv) }),
  }),
]

function viewRoute(route: Route): Static<typeof RouteView> {
  const { channel, carrierId, prefix, accountId, sender, operators, priority, weight, poolId, ringSeconds } = route
  return {
    channel,
    carrier: carrierId,
    prefix,
    account: accountId,
    sender,
    operators: operators === null ? null : [...operators],
    priority,
    weight,
    pool: poolId,
    ring_seconds: ringSeconds ?? null,
  }
}

function viewPool({ id, codeDigits, numbers }: NumberPool): Static<typeof Pool> {
  return { pool: id, code_digits: codeDigits, numbers: numbers.length, ranges: [...toRanges(numbers)] }
}
