/** Asks lookup services about a number, to try a carrier of lookups and to help clients. */
import Type, { type Static } from 'typebox'
import { LOOKUP_MAX_AGE } from '../../../contract/operations/lookup-fields.ts'
import { DEFAULT_LIMITS } from '../../../contract/request/limits.ts'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import { NUMBER_STATUSES } from '../../../domain/numbers/number-facts.ts'
import type { NumberAnswer } from '../../../ports/carriers/lookup.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { AdminProblem } from '../endpoint/admin-problem.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { accountRow } from '../fields/account-row.ts'
import { readPhoneField } from '../fields/field-refused.ts'
import { CARRIER, CURRENCY, nullable, OPERATORS, TIME, whole, writeTime } from '../fields/shapes.ts'

/** No account has it: only routes for every account apply. */
const NO_ACCOUNT = 0 as AccountId

const Answer = Type.Object({
  carrier: CARRIER,
  mccmnc: nullable(Type.String({ description: 'MCC and MNC of the operator that serves the number' })),
  operator: nullable(Type.String({ description: 'name of the operator' })),
  country: nullable(Type.String({ description: 'ISO 3166 code, if the service has it' })),
  ported: nullable(Type.Boolean()),
  status: Type.Enum([...NUMBER_STATUSES]),
  imsi: nullable(Type.String()),
  cached: Type.Boolean({ description: 'given to an earlier question' }),
  at: TIME,
  cost: nullable(Type.Number({ description: 'what the service charges us; null if no cost is set' })),
  cost_currency: nullable(CURRENCY),
})

export const LOOKUP_ENDPOINTS = [
  endpoint({
    name: 'lookUpNumber',
    needsGateway: true,
    method: 'POST',
    path: '/number-lookups',
    command: 'number lookup',
    summary: 'ask a lookup service about a phone number; no account is charged',
    may: OPERATORS,
    body: {
      phone: Type.String({ description: 'with its country code', examples: ['37120000000'] }),
      account: Type.Optional(whole({ minimum: 1, description: 'by the routes of this account' })),
      max_age: Type.Optional(
        whole({
          minimum: 0,
          maximum: LOOKUP_MAX_AGE,
          default: 0,
          description: 'seconds: use an answer that is not older; by default the service is asked anew',
        }),
      ),
    },
    result: Answer,
    run: async (tools, { phone: text, account, max_age: maxAge = 0 }) => {
      const live = runningGateway(tools, 'asks lookup services')
      const phone = readPhoneField(text)
      const accountId = account === undefined ? NO_ACCOUNT : toAccountId(account)
      if (account !== undefined) accountRow(await tools.store.loadDirectory(), accountId)
      const number = { phone, operator: live.operatorOf(phone), accountId }
      if (!live.lookups.serves(number)) {
        throw new ChangeRefused('no route of the channel lookup leads to a running carrier for this number')
      }
      const withinMs = DEFAULT_LIMITS.lookupAnswerSeconds * 1_000
      const answer = await live.lookups.ask({ ...number, maxAgeMs: maxAge * 1_000, withinMs })
      if (answer === null) throw new AdminProblem(503, 'no lookup service answered; the log of the gateway says why')
      return view(answer)
    },
  }),
]

function view({ facts, carrierId, at, cached, cost }: NumberAnswer): Static<typeof Answer> {
  const { operator, operatorName, country, ported, status, imsi } = facts
  return {
    carrier: carrierId,
    mccmnc: operator,
    operator: operatorName,
    country,
    ported,
    status,
    imsi,
    cached,
    at: writeTime(at),
    cost: cost === null ? null : toDecimal(cost.micros),
    cost_currency: cost?.currency ?? null,
  }
}
