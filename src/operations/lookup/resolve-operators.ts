/**
 * Finds the operators of the numbers of a request before it is planned, for accounts whose messages are routed and
 * priced by ported numbers. A number that no service answers for in time has its operator by prefix.
 */
import { PHONE_FIELD } from '../../contract/fields/fields.ts'
import { PHONE } from '../../contract/fields/kinds.ts'
import { LOOKUP_MAX_AGE } from '../../contract/operations/lookup-fields.ts'
import { type OperationSchema, schemaOf } from '../../contract/operations/operation-schemas.ts'
import { scopesOf } from '../../contract/operations/operation-scopes.ts'
import { isObject } from '../../contract/request/envelope.ts'
import type { ReadingRules } from '../../contract/request/limits.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { NumberAnswer, NumberQuestion } from '../../ports/carriers/lookup.ts'
import type { Scope } from '../request/planned.ts'
import { spendableMicros } from './answer-lookups.ts'

/**
 * Returns the scope with a lookup that knows the operators found. The operator of the gateway pays for the questions:
 * accounts that cannot pay anything ask none, others a limited number. Rejects with StoreError.
 */
export async function resolveOperators(scope: Scope, data: readonly unknown[]): Promise<Scope> {
  const { numbers, account, tools } = scope
  const { numbersResolved, resolveMs: withinMs } = tools.limits
  const found = new Map<Phone, string>()
  const note = (phone: Phone, answer: NumberAnswer | null) => {
    if (answer !== null && answer.facts.operator !== null) found.set(phone, answer.facts.operator)
  }
  const unknown: NumberQuestion[] = []
  for (const phone of phonesOf(scope, data, numbersResolved)) {
    const number = { phone, operator: scope.lookup.operatorOf(phone), accountId: account.id }
    if (!numbers.serves(number)) continue
    const question = { ...number, maxAgeMs: LOOKUP_MAX_AGE * 1_000, withinMs }
    const known = numbers.known(question)
    if (known === null) unknown.push(question)
    else note(phone, known)
  }
  if (unknown.length > 0 && (await mayAsk(scope, unknown.length))) {
    await Promise.all(unknown.map(async (question) => note(question.phone, await numbers.ask(question))))
  }
  return { ...scope, lookup: { operatorOf: (phone) => found.get(phone) ?? scope.lookup.operatorOf(phone) } }
}

async function mayAsk(scope: Scope, count: number): Promise<boolean> {
  const { account, tools } = scope
  if ((await spendableMicros(scope)) <= 0) return false
  const perSecond = account.settings.routingLookupsPerSecond ?? tools.limits.routingLookupsPerSecond
  // Each node that takes requests gets an equal part of the limit.
  const part = perSecond / (tools.store.cluster?.intakeNodes ?? 1)
  if (tools.routingLookups.take(account.id, part, count, tools.clock.monotonic())) return true
  tools.log.warn({ account: account.id, perSecond }, 'numbers are not looked up before routing: limit per second')
  return false
}

/** Returns the first so many different phones of operations that the key may execute. */
function phonesOf({ tools, key }: Scope, data: readonly unknown[], max: number): ReadonlySet<Phone> {
  const phones = new Set<Phone>()
  for (const sent of data) {
    if (phones.size >= max) break
    if (!isObject(sent)) continue
    const { item } = tools.chatappNames.translate(sent)
    const schema = schemaOf(item.type)
    if (schema === null || !hasPhone(schema)) continue
    const scopes = scopesOf(schema.type)
    // Lookups themselves ask.
    if (scopes.includes('lookup') || !scopes.some((scope) => key.scopes.includes(scope))) continue
    const phone = readPhoneOf(item['phone'], tools.limits)
    if (phone !== null) phones.add(phone)
  }
  return phones
}

/** Returns null for what the operation will be refused for. */
function readPhoneOf(raw: unknown, limits: ReadingRules): Phone | null {
  try {
    return PHONE.read(raw, PHONE_FIELD.name, limits)
  } catch (error) {
    if (error instanceof ItemRefused) return null
    throw error
  }
}

function hasPhone({ fields, sendNamedBy }: OperationSchema): boolean {
  return fields.some(({ name }) => name === PHONE_FIELD.name) || sendNamedBy !== undefined
}
