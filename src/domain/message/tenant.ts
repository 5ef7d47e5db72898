/**
 * Tenants of a queue: one account's messages of one traffic class. Accounts take turns, and the classes of one account
 * share its turns by weight, so that neither another account nor the account's own bulk can hold a message up.
 */
import type { AccountId } from '../ids/account-id.ts'
import type { FairRules } from '../structures/fair-queue.ts'
import type { Message } from './message.ts'

/** One-time codes, single messages, and mailings. */
const TRAFFIC_CLASSES = ['otp', 'transactional', 'bulk'] as const
type TrafficClass = (typeof TRAFFIC_CLASSES)[number]

/** Turns of a class out of those of its account while all classes wait. */
const WEIGHTS: Readonly<Record<TrafficClass, number>> = { otp: 8, transactional: 4, bulk: 1 }

/** Encodes the account and the class in one number; 0 is no tenant. */
const STRIDE = 4

/** Returns an integer above 0, unique for the account and the traffic class of the message. */
export function tenantOf(message: Pick<Message, 'accountId' | 'plan' | 'journey'>): number {
  return message.accountId * STRIDE + 1 + TRAFFIC_CLASSES.indexOf(classOf(message))
}

export function accountOfTenant(tenant: number): AccountId {
  return Math.floor(tenant / STRIDE) as AccountId
}

function weightOfTenant(tenant: number): number {
  return WEIGHTS[TRAFFIC_CLASSES[(tenant % STRIDE) - 1] ?? 'transactional']
}

/** Accounts take turns, one entry each; the traffic classes of one account share its turns by weight. */
export const ACCOUNTS_TAKE_TURNS: FairRules<{ readonly tenant: number }> = {
  tenantOf: ({ tenant }) => tenant,
  groupOf: accountOfTenant,
  weightOf: weightOfTenant,
  costOf: () => 1,
  turnOf: () => 1,
}

/** Calls and verifications carry a code that the recipient waits for; others come in large numbers. */
function classOf({ plan, journey }: Pick<Message, 'plan' | 'journey'>): TrafficClass {
  if (plan[journey.step]?.channel === 'call' || journey.verification !== undefined) return 'otp'
  return journey.sendAt === undefined && journey.bulk === undefined ? 'transactional' : 'bulk'
}
