/** The traffic class of what a key or a login sends. Users of accounts cannot raise it above that of notices. */
import Type from 'typebox'
import { highestClass, isHigher, TRAFFIC_CLASSES, type TrafficClass } from '../../../domain/message/traffic-class.ts'
import { nullable } from './shapes.ts'

export const PRIORITY = nullable(Type.Enum([...TRAFFIC_CLASSES]), {
  description:
    'traffic class of what it sends, except of mailings, and the highest that a request may ask for; null for that of each operation, and requests up to transactional',
})

export const ONLY_OPERATORS_RAISE = 'priority: only the operator gives codes priority over notices'

/** Returns whether a key or a login may ask for more with the priority than before, and than without one. */
export function isRaised(priority: TrafficClass | null | undefined, before: TrafficClass | null = null): boolean {
  if (priority === undefined || priority === before) return false
  return isHigher(highestClass(priority), highestClass(null))
}
