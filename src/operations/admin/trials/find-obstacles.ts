/** Finds the guards that would keep a message from its recipient, and the limits and the money of its account. */
import { ITEM_ERRORS, limitReached } from '../../../contract/request/error-texts.ts'
import { ItemRefused } from '../../../contract/request/refused.ts'
import type { Channel } from '../../../domain/channels/channel.ts'
import { exceededBy } from '../../../domain/guards/guards.ts'
import type { TrafficKind } from '../../../domain/guards/traffic.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import { spendableMicros } from '../../lookup/answer-lookups.ts'
import type { Scope } from '../../request/planned.ts'
import { checkDestination, checkQuietHours } from '../../send/read-send.ts'
import type { TriedStep } from './try-steps.ts'

export const OBSTACLES = ['account', 'deny list', 'destination', 'quiet hours', 'opt-out', 'limit', 'balance'] as const

/** `refused`: with an error. `filtered`: accepted, and then ended FILTERED. `postponed`: sent later. */
export const GUARD_EFFECTS = ['refused', 'filtered', 'postponed'] as const

export interface Obstacle {
  readonly guard: (typeof OBSTACLES)[number]
  readonly effect: (typeof GUARD_EFFECTS)[number]
  /** Null for all channels. */
  readonly channel: Channel | null
  readonly detail: string
}

type Tried = Pick<TriedStep, 'channel' | 'sender' | 'step'>

/** Test messages pass all of them. Rejects with StoreError. */
export async function findObstacles(scope: Scope, phone: Phone, tried: readonly Tried[]): Promise<readonly Obstacle[]> {
  const { account, key } = scope
  const { state } = account
  const closed = state === 'active' ? [] : [every('account', 'refused', `account is ${state}`)]
  if (key.test) return closed
  return [
    ...closed,
    ...destinationObstacles(scope, phone, tried),
    ...ofQuietHours(scope, phone, tried),
    ...(await ofRecipient(scope, phone, tried)),
    ...(await ofUsage(scope, phone, tried)),
  ]
}

/** Returns why the account may never reach the number. */
export function destinationObstacles(
  scope: Scope,
  phone: Phone,
  tried: readonly Pick<Tried, 'channel'>[],
): readonly Obstacle[] {
  const found: Obstacle[] = []
  if (scope.directory.guards.isDenied(phone)) found.push(every('deny list', 'filtered', 'the number is denied'))
  for (const kind of kindsOf(tried)) {
    const channel = kind === 'calls' ? 'call' : null
    const detail = refusalOf(() => checkDestination(scope, kind, phone))
    if (detail !== null) found.push({ guard: 'destination', effect: 'refused', channel, detail })
  }
  return found
}

function ofQuietHours(scope: Scope, phone: Phone, tried: readonly Tried[]): readonly Obstacle[] {
  const { account, directory, now } = scope
  const until = kindsOf(tried).includes('messages') ? directory.guards.quietUntil(account.settings, phone, now) : null
  if (until === null) return []
  const refusal = refusalOf(() => checkQuietHours(scope, phone, now))
  const postponed = every('quiet hours', 'postponed', `quiet hours until ${new Date(until).toISOString()}`)
  return [refusal === null ? postponed : every('quiet hours', 'refused', refusal)]
}

async function ofRecipient(
  { account, directory, tools }: Scope,
  phone: Phone,
  tried: readonly Tried[],
): Promise<readonly Obstacle[]> {
  if (!directory.guards.mayBeOptedOut(account.id)) return []
  const optOuts = await tools.store.findOptOuts([{ accountId: account.id, phone }])
  return tried.flatMap(({ channel, sender }): readonly Obstacle[] => {
    if (channel === 'call') return []
    if (directory.optOutsFor(account.id, { channel, sender: sender ?? '' }, optOuts).length === 0) return []
    return [{ guard: 'opt-out', effect: 'filtered', channel, detail: 'the recipient has opted out' }]
  })
}

/** What the account has used of its limits and its money, at the highest price of the steps. */
async function ofUsage(scope: Scope, phone: Phone, tried: readonly Tried[]): Promise<readonly Obstacle[]> {
  const { account, usage, tools } = scope
  const micros = Math.max(0, ...tried.map(({ step }) => step?.priceMicros ?? 0))
  const places = [...new Set(kindsOf(tried).flatMap((kind) => usage?.placesOf(kind, phone) ?? []))]
  const limits = places.flatMap((place) => usage?.limits[place] ?? [])
  const used = limits.length === 0 ? [] : await tools.store.usageIn(account.id, limits)
  const found = limits.flatMap((limit, index): readonly Obstacle[] => {
    const of = exceededBy(limit, used[index] ?? { messages: 0, micros: 0 }, { messages: 1, micros })
    return of === null ? [] : [every('limit', 'refused', limitReached(limit.guard, of))]
  })
  const isPaid = micros === 0 || (await spendableMicros(scope)) >= micros
  return isPaid ? found : [...found, every('balance', 'refused', ITEM_ERRORS.insufficientFunds)]
}

function kindsOf(tried: readonly Pick<Tried, 'channel'>[]): readonly TrafficKind[] {
  const isCall = ({ channel }: Pick<Tried, 'channel'>) => channel === 'call'
  return [...(tried.every(isCall) ? [] : ['messages' as const]), ...(tried.some(isCall) ? ['calls' as const] : [])]
}

function every(guard: Obstacle['guard'], effect: Obstacle['effect'], detail: string): Obstacle {
  return { guard, effect, channel: null, detail }
}

/** Returns the text; null if it is not refused. */
function refusalOf(check: () => void): string | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof ItemRefused) return error.message
    throw error
  }
}
