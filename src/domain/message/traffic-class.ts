/**
 * Traffic classes: one-time codes leave before notices, and notices before mailings. The tenants of a queue are one
 * account's messages of one class.
 */
import type { AccountId } from '../ids/account-id.ts'

/** The first leaves first. */
export const TRAFFIC_CLASSES = ['otp', 'transactional', 'bulk'] as const
export type TrafficClass = (typeof TRAFFIC_CLASSES)[number]

/**
 * How many of 100 places each lower class keeps while it waits and a higher one has messages. The highest has the rest.
 */
export const LOWER_SHARE = 10
export const MAX_LOWER_SHARE = 40

/** Encodes the account and the class in one number; 0 is no tenant. */
const STRIDE = 4

/** Returns an integer above 0, unique for the account and the class. */
export function tenantOfClass(account: AccountId, trafficClass: TrafficClass): number {
  return account * STRIDE + 1 + rankOf(trafficClass)
}

export function accountOfTenant(tenant: number): AccountId {
  return Math.floor(tenant / STRIDE) as AccountId
}

export function classOfTenant(tenant: number): TrafficClass {
  return TRAFFIC_CLASSES[rankOfTenant(tenant)] ?? 'transactional'
}

/** Returns the place of the tenant's class among TRAFFIC_CLASSES. */
export function rankOfTenant(tenant: number): number {
  return (tenant % STRIDE) - 1
}

function rankOf(trafficClass: TrafficClass): number {
  return TRAFFIC_CLASSES.indexOf(trafficClass)
}

/** The class of a message that its operation does not say by itself, and where it comes from. */
export interface Priority {
  readonly trafficClass: TrafficClass
  readonly by: 'key' | 'request' | 'operation'
}

/** Returns the highest class that a request under a key or login with this priority may ask for. */
export function highestClass(ofKey: TrafficClass | null): TrafficClass {
  return ofKey ?? 'transactional'
}

export function isHigher(one: TrafficClass, other: TrafficClass): boolean {
  return rankOf(one) < rankOf(other)
}

/** Returns the class that a key or a request gives a message; null for that of its operation. Mailings stay bulk. */
export function priorityOf(
  asked: TrafficClass | null,
  ofKey: TrafficClass | null,
  byOperation: TrafficClass,
): Priority | null {
  if (asked !== null) return { trafficClass: asked, by: 'request' }
  return ofKey === null || byOperation === 'bulk' ? null : { trafficClass: ofKey, by: 'key' }
}
