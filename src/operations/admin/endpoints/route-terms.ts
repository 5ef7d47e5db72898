/** What a route says beside its carrier. */
import Type, { type Static, type TObject } from 'typebox'
import { toAccountId } from '../../../domain/account.ts'
import type { RouteWish } from '../add-route.ts'
import { nullable, whole } from './shapes.ts'

export const ROUTE_TERMS = {
  prefix: Type.Optional(Type.String({ maxLength: 15, description: 'numbers that begin so; without it every number' })),
  operators: Type.Optional(
    nullable(Type.Array(Type.String()), {
      description: 'only these mobile operators, MCC and MNC, separated by commas',
    }),
  ),
  priority: Type.Optional(
    whole({ description: 'among routes that are as specific the lowest is tried first; 100 without it' }),
  ),
  weight: Type.Optional(whole({ description: 'its share among routes of one priority and cost; 1 without it' })),
  account: Type.Optional(nullable(whole({ minimum: 1 }), { description: 'only messages of this account' })),
  sender: Type.Optional(nullable(Type.String(), { description: 'only messages under this sender name' })),
  pool: Type.Optional(nullable(Type.String(), { description: 'for calls: the numbers to call from' })),
  ring_seconds: Type.Optional(
    nullable(Type.Number(), { description: 'for calls: how long the phone rings; else as the carrier is set' }),
  ),
}

const FIRST_PRIORITY = 100

export function readRouteTerms(terms: Static<TObject<typeof ROUTE_TERMS>>): Omit<RouteWish, 'carrierId'> {
  const { prefix = '', operators = null, priority = FIRST_PRIORITY, weight = 1, account = null, sender = null } = terms
  const { pool = null, ring_seconds: ringSeconds = null } = terms
  const accountId = account === null ? null : toAccountId(account)
  const ring = ringSeconds === null ? {} : { ringSeconds }
  return { prefix, operators, priority, weight, accountId, sender, poolId: pool, ...ring }
}
