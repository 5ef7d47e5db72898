/** What only a running gateway can do, such as asking its carriers. */
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { AdminTools, LiveGateway } from './endpoint.ts'

/** `action` completes "only a running gateway …". Throws ChangeRefused for a command that works on the store. */
export function runningGateway({ live }: Pick<AdminTools, 'live'>, action: string): LiveGateway {
  if (live !== null) return live
  throw new ChangeRefused(`only a running gateway ${action}: name it with --server or POSTHORN_SERVER`)
}
