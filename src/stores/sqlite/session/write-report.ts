/** Writes a report whose event has an id already. */
import type { Report } from '../../../domain/reports/report.ts'
import { EventReports } from './event-reports.ts'
import type { Session } from './session.ts'

export function writeReport(session: Session): (report: Report, at: number) => void {
  const reports = new EventReports(session)
  return (report, at) => reports.write(report, at)
}
