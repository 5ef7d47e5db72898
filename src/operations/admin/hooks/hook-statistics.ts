/** How the reports of an account went at each of its hooks, by hour or day. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { MAX_COUNTED_HOOKS, OTHER_HOOKS } from '../../../domain/reports/counted-hooks.ts'
import { DAY_OR_HOUR, DAY_OR_HOUR_RULE, RESOLUTIONS } from '../../../domain/statistics/message-statistics.ts'
import { readHookStatistics, writeSlot } from '../../read/read-statistics.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { ACCOUNT, listOf, nullable, READERS, whole } from '../fields/shapes.ts'

const TIME_RANGE = (description: string) =>
  Type.Optional(Type.String({ pattern: DAY_OR_HOUR, rule: DAY_OR_HOUR_RULE, examples: ['2026-11-30'], description }))

const Line = Type.Object({
  time: nullable(Type.String({ description: 'day or hour, UTC; null for the whole range' })),
  address: Type.String({
    description: `without user and query, and with … for a part of the path that looks like a token; "${OTHER_HOOKS}" after the first ${MAX_COUNTED_HOOKS} of a day`,
  }),
  sent: whole({ description: 'reports that the hook accepted' }),
  failed_tries: whole({ description: 'failed tries before the last one' }),
  given_up: whole({ description: 'reports that were given up' }),
  p50_ms: nullable(Type.Number(), { description: 'milliseconds within which half of the tries ended, estimated' }),
  p95_ms: nullable(Type.Number(), { description: 'milliseconds within which 95 of 100 tries ended, estimated' }),
})

export const HOOK_STATISTICS_ENDPOINTS = [
  endpoint({
    name: 'showHookStatistics',
    method: 'GET',
    path: '/accounts/{account}/hook-statistics',
    command: 'hook statistics',
    summary: 'show how many reports each hook of an account accepted and refused, and how fast; today by default',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    query: {
      from: TIME_RANGE('first day, or hour such as 2026-11-30T14, UTC; by default the day of the last'),
      through: TIME_RANGE('last day or hour, included; today by default'),
      resolution: Type.Optional(
        Type.Enum([...RESOLUTIONS], {
          default: 'total',
          description: 'a line for the whole time, each day or each hour',
        }),
      ),
    },
    result: listOf(Line),
    run: async ({ store, clock }, { account, ...range }) => {
      const accountId = toAccountId(account)
      accountRow(await store.loadDirectory(), accountId)
      const lines = await readHookStatistics(store, { ...range, accountId }, clock.now())
      if ('rule' in lines) throw new FieldRefused(lines.field, lines.rule)
      const data = lines.map(({ slot, hook, sent, retried, failed, p50, p95 }) => ({
        time: writeSlot(slot, range.resolution),
        address: hook,
        sent,
        failed_tries: retried,
        given_up: failed,
        p50_ms: rounded(p50),
        p95_ms: rounded(p95),
      }))
      return { data }
    },
  }),
]

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms)
}
