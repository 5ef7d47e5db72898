/** Writes reports whose events have ids already. */
import { type EventReport, writeEventReports } from './event-reports.ts'
import type { Session } from './session.ts'

export async function writeReports(session: Session, events: readonly EventReport[]): Promise<readonly null[]> {
  await session.leased()
  session.noteReports(writeEventReports(session, events))
  return events.map(() => null)
}
