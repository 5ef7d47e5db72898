/** What SQLite does in its own way when it changes bulks. */
import type { BulkOrder } from '../../../ports/stores/bulk-store.ts'
import { type BulkResult, changeBulk as bulkCommand, type OrderOf } from '../../commands/bulk/change-bulk.ts'
import { admitLines, type PackedOrder, packOrder } from '../requests/accept-messages.ts'
import { EventReports } from '../session/event-reports.ts'
import type { Session } from '../session/session.ts'
import type { RunCommand } from '../statement/run-command.ts'

export type PackedBulkOrder = OrderOf<PackedOrder>

export function packBulkOrder(order: BulkOrder): PackedBulkOrder {
  return order.kind === 'send lines' ? { ...order, request: packOrder(order.request) } : order
}

export function changeBulk(session: Session, run: RunCommand): (order: PackedBulkOrder) => BulkResult {
  const events = new EventReports(session)
  const tools = {
    hashPhone: session.hashPhone,
    timeOf: ([, now]: PackedOrder) => now,
    admit: admitLines(session),
    report: events.writeAll.bind(events),
  }
  return (order) => run(bulkCommand(order, tools))
}
