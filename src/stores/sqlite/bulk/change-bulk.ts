/** What SQLite does in its own way when it changes bulks. */
import type { BulkOrder } from '../../../ports/stores/bulk-store.ts'
import { type AdmissionOrder, toAdmissionOrder } from '../../admission/admission-order.ts'
import { type BulkResult, changeBulk as bulkCommand, type OrderOf } from '../../commands/bulk/change-bulk.ts'
import { writeList } from '../../rows/messages/message-row.ts'
import { admitLines } from '../requests/accept-messages.ts'
import { EventReports } from '../session/event-reports.ts'
import type { Session } from '../session/session.ts'
import type { RunCommand } from '../statement/run-command.ts'

/** With the rows of its messages, which cross to the engine's thread. */
export type PreparedBulkOrder = OrderOf<AdmissionOrder>

export function prepareBulkOrder(order: BulkOrder): PreparedBulkOrder {
  return order.kind === 'send lines' ? { ...order, request: toAdmissionOrder(order.request, writeList) } : order
}

export function changeBulk(session: Session, run: RunCommand): (order: PreparedBulkOrder) => BulkResult {
  const events = new EventReports(session)
  const tools = {
    hashPhone: session.hashPhone,
    admit: admitLines(session),
    report: events.writeAll.bind(events),
  }
  return (order) => run(bulkCommand(order, tools))
}
