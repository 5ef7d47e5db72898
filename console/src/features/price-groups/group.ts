/** Price groups: their pages, and what to read again after a change. */
import { invalidate } from '../../api/queries.ts'
import { invalidatePrices } from '../prices/price.ts'

export function pathOfGroup(group: string): string {
  return `/prices/${encodeURIComponent(group)}`
}

export function invalidateGroups(): void {
  invalidatePrices()
  invalidate('/price-groups/{group}/accounts', '/price-group-memberships')
}
