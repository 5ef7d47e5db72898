/** `lookup`, and `hlr`, in another form: what is known about a number, by a lookup service or by the prefix table. */
import { readFields } from '../../contract/fields/fields.ts'
import { LOOKUP_FIELDS, LOOKUP_MAX_AGE } from '../../contract/operations/lookup-fields.ts'
import { type RequestObject, writeResult } from '../../contract/request/envelope.ts'
import { noPrice } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import { type Micros, NO_MONEY, toDecimal } from '../../domain/money/money.ts'
import { MAX_RATE } from '../../domain/money/rate.ts'
import { factsByPrefix, type NumberFacts } from '../../domain/numbers/number-facts.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { NumberAnswer } from '../../ports/carriers/lookup.ts'
import type { LookupInquiry, Planned, Scope } from '../request/planned.ts'
import { countsOfLookup, withCounts } from '../send/read-send.ts'
import { describeHlr } from './describe-hlr.ts'

/** What is answered, before it is written in the fields of the operation. */
interface Known {
  readonly phone: Phone
  readonly facts: NumberFacts
  /** Null if no service was asked. */
  readonly answer: NumberAnswer | null
  readonly priceMicros: Micros
}

type Describe = (scope: Scope, known: Known) => object

/** Throws ItemRefused for a number that cannot exist, or that has no price although a service knows it. */
export function planLookup(scope: Scope, item: RequestObject): Planned | LookupInquiry {
  return plan(scope, item, describeLookup)
}

/** Throws the same. */
export function planHlr(scope: Scope, item: RequestObject): Planned | LookupInquiry {
  return plan(scope, item, ({ directory }, { phone, facts }) => describeHlr(directory, phone, facts))
}

function plan(scope: Scope, item: RequestObject, describe: Describe): Planned | LookupInquiry {
  const { account, key, tools, numbers } = scope
  const { id = null, phone, maxAge = LOOKUP_MAX_AGE } = readFields(item, LOOKUP_FIELDS, tools.limits)
  const number = { phone, operator: scope.lookup.operatorOf(phone), accountId: account.id }
  if (!numbers.serves(number)) {
    const facts = factsByPrefix(phone, number.operator)
    return written(describe(scope, { phone, facts, answer: null, priceMicros: NO_MONEY }), id)
  }
  const priceMicros = key.test ? NO_MONEY : priceOf(scope, phone, number.operator)
  if (priceMicros === null) throw new ItemRefused(noPrice('lookup'))
  const withinMs = tools.limits.lookupAnswerSeconds * 1_000
  return {
    question: { ...number, maxAgeMs: maxAge * 1_000, withinMs },
    priceMicros,
    id,
    conclude: (answer) => {
      const operator = answer.facts.operator ?? number.operator
      const price = key.test ? NO_MONEY : (priceOf(scope, phone, operator) ?? priceMicros)
      const result = describe(scope, { phone, facts: answer.facts, answer, priceMicros: price })
      if (price === 0) return written(result, id)
      const { carrierId, cost } = answer
      const charge = { channel: 'lookup', operator, parts: 1, carrierId, cost } as const
      return {
        draft: { kind: 'lookup', id, result },
        item: withCounts({ kind: 'lookup', priceMicros: price, charge }, countsOfLookup(scope)),
      }
    },
  }
}

function written(result: object, id: string | null): Planned {
  return { draft: { kind: 'written', text: writeResult(result, id) }, item: null }
}

/** Returns null if there is none. */
function priceOf({ account, directory, now }: Scope, phone: Phone, operator: string | null): Micros | null {
  const { id: accountId, currency } = account
  const price = directory.priceOf({ phone, operator, accountId, currency, channel: 'lookup', at: now })
  return price !== null && price > MAX_RATE ? null : price
}

function describeLookup({ account, directory, key, now }: Scope, known: Known): object {
  const { phone, facts, answer, priceMicros } = known
  return {
    phone: Number(phone),
    country: facts.country ?? factsByPrefix(phone, null).country,
    mccmnc: facts.operator,
    operator: facts.operatorName ?? directory.operatorName(facts.operator),
    ported: facts.ported,
    status: facts.status,
    ...(facts.imsi === null ? {} : { imsi: facts.imsi }),
    source: answer === null ? 'prefix table' : 'service',
    cached: answer?.cached ?? false,
    price: toDecimal(priceMicros),
    currency: account.currency,
    at: new Date(answer?.at ?? now).toISOString(),
    ...(key.test ? { test: true } : {}),
  }
}
