/** What PostgreSQL does in its own way when it changes bulks. */
import type { Report } from '../../../domain/reports/report.ts'
import type { BulkOrder } from '../../../ports/stores/bulk-store.ts'
import type { AcceptRequest } from '../../../ports/stores/intake-store.ts'
import { type BulkResult, changeBulk } from '../../commands/bulk/change-bulk.ts'
import { admitLines } from '../requests/accept-messages.ts'
import { writeEventReports } from '../session/event-reports.ts'
import { runEach } from '../session/run-command.ts'
import type { Session } from '../session/session.ts'

export function changeBulks(session: Session, orders: readonly BulkOrder[]): Promise<readonly BulkResult[]> {
  const tools = {
    hashPhone: session.hashPhone.bind(session),
    admit: (request: AcceptRequest) => admitLines(session, request),
    report: (reports: readonly Report[], at: number) => {
      session.noteReports(
        writeEventReports(
          session,
          reports.map((report) => ({ report, at })),
        ),
      )
    },
  }
  return runEach(session, orders, bulkOf, (order) => changeBulk(order, tools))
}

/** The bulk that the order locks. */
function bulkOf(order: BulkOrder): number {
  return order.kind === 'create' ? order.bulk.id : order.bulkId
}
