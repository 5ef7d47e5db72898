/** Traffic classes: one-time codes leave before notices, and notices before mailings. */

/** The first leaves first. */
export const TRAFFIC_CLASSES = ['otp', 'transactional', 'bulk'] as const
export type TrafficClass = (typeof TRAFFIC_CLASSES)[number]

/**
 * How many of 100 places each lower class keeps while it waits and a higher one has messages. The highest has the rest.
 */
export const LOWER_SHARE = 10
export const MAX_LOWER_SHARE = 40

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

/** The same for a bulk: notices only where an operator gave the key a priority, and never codes. */
export function highestClassOfBulk(ofKey: TrafficClass | null): TrafficClass {
  return ofKey === null || ofKey === 'bulk' ? 'bulk' : 'transactional'
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
