/** Plans a call that carries a code: its price, and the numbers that it may come from. */
import { ITEM_ERRORS, noPrice } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { CallContent, Step } from '../../domain/message/message.ts'
import { type Micros, NO_MONEY } from '../../domain/money/money.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { NumberPool } from '../../domain/routing/route.ts'
import { TEST_OPERATOR, TEST_POOL } from '../../domain/routing/test-mode.ts'
import type { AcceptItem } from '../../ports/stores/intake-store.ts'
import type { Random } from '../../ports/system/random.ts'
import type { Scope } from '../request/planned.ts'

/**
 * Additional calling numbers for concurrent calls. The store gets as many candidates as an account may call one phone
 * while a code is valid, plus these, and takes the first whose code the phone was not given lately.
 */
const SPARE_CANDIDATES = 3
/** Maximum draws for distinct codes; bounds the work in pools whose numbers end alike. */
const MAX_DRAWS = 64
const HOUR_MS = 3_600_000

export interface PlannedCall {
  readonly step: Step
  /** For the store, which chooses the number. */
  readonly numbers: Pick<Extract<AcceptItem, { kind: 'call' }>, 'candidates' | 'codesSince' | 'limit'>
}

/**
 * Returns null if no route serves the operator of the number. Throws ItemRefused without a price, or without a calling
 * number.
 */
export function planCallStep(
  scope: Scope,
  { phone, operator }: { readonly phone: Phone; readonly operator: string | null },
  lifetimeSeconds: number,
): PlannedCall | null {
  const { account, key, now, tools } = scope
  const { limits } = tools
  const { settings } = account
  const terms = key.test ? testTerms(operator) : termsOf(scope, phone, operator)
  if (terms === null) return null
  const { pool, priceMicros } = terms
  const maxCalls = settings.callsPerHourToPhone ?? limits.callsPerHourToPhone
  const codeMs = (settings.callCodeSeconds ?? limits.callCodeSeconds) * 1_000
  const maxCodes = maxCalls * Math.max(1, Math.ceil(codeMs / HOUR_MS)) + SPARE_CANDIDATES
  const candidates =
    pool === null ? [] : drawCandidates(pool, settings.callCodeDigits ?? pool.codeDigits, maxCodes, tools.random)
  const first = candidates[0]
  if (first === undefined) throw new ItemRefused(ITEM_ERRORS.noNumberFree)
  return {
    step: { channel: 'call', sender: '', content: first, lifetimeSeconds, priceMicros, parts: 1 },
    numbers: { candidates, codesSince: now - codeMs, limit: { max: maxCalls, since: now - HOUR_MS } },
  }
}

interface CallTerms {
  /** Draws calling numbers; null without a pool. */
  readonly pool: NumberPool | null
  readonly priceMicros: Micros
}

/** Returns null without a route. Throws ItemRefused without a price. */
function termsOf({ account, directory, now, tools }: Scope, phone: Phone, operator: string | null): CallTerms | null {
  const step = { channel: 'call', phone, operator, accountId: account.id, sender: '', at: now } as const
  const routes = directory.routes.candidates(step, tools.random.below(1_000) / 1_000)
  // The calling number determines the carriers, so numbers of pools whose carriers are down are avoided.
  const route = routes.find(({ carrierId }) => tools.outbox.isOpen(carrierId)) ?? routes[0]
  if (route === undefined) return null
  const priceMicros = directory.priceOf({ ...step, currency: account.currency })
  if (priceMicros === null) throw new ItemRefused(noPrice('call'))
  return { pool: route.poolId === null ? null : directory.pool(route.poolId), priceMicros }
}

/** Returns null for phones of an unsupported operator. */
function testTerms(operator: string | null): CallTerms | null {
  return operator === TEST_OPERATOR ? { pool: TEST_POOL, priceMicros: NO_MONEY } : null
}

/** Draws distinct numbers evenly and keeps the first of each code: a partial Fisher-Yates shuffle. */
function drawCandidates(
  { numbers }: NumberPool,
  codeDigits: number,
  most: number,
  random: Random,
): readonly CallContent[] {
  const moved = new Map<number, number>()
  const candidates = new Map<string, CallContent>()
  const draws = Math.min(numbers.length, MAX_DRAWS)
  for (let index = 0; index < draws && candidates.size < most; index += 1) {
    const drawn = index + random.below(numbers.length - index)
    const from = numbers[moved.get(drawn) ?? drawn] ?? ''
    moved.set(drawn, moved.get(index) ?? index)
    const code = from.slice(-codeDigits)
    if (!candidates.has(code)) candidates.set(code, { kind: 'call', from, code })
  }
  return [...candidates.values()]
}
