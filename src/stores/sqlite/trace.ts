/** Reads the trace of one message at once. */
import type { MessageId } from '../../domain/message-id.ts'
import type { Trace } from '../../ports/trace.ts'
import type { MessageRow } from '../rows/message-row.ts'
import { readTrace, TRACE_COLUMNS } from '../rows/trace-rows.ts'
import { loadMessages } from './claim-due.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

/** A Trace whose message is still a row. */
export interface TraceRows extends Omit<Trace, 'message'> {
  readonly message: MessageRow
}

export function trace(session: Session): (id: MessageId) => TraceRows | null {
  const { database, vault } = session
  const load = loadMessages(session)
  const events = new Statement(
    database,
    `SELECT ${TRACE_COLUMNS.timeline} FROM event WHERE msg_id = ? ORDER BY version, number`,
  )
  const postings = new Statement(
    database,
    `SELECT ${TRACE_COLUMNS.postings} FROM posting WHERE msg_id = ? ORDER BY posting_id`,
  )
  const reports = new Statement(
    database,
    `SELECT ${TRACE_COLUMNS.reports} FROM report WHERE msg_id = ? ORDER BY number`,
  )
  const links = new Statement(database, `SELECT ${TRACE_COLUMNS.links} FROM link WHERE msg_id = ? ORDER BY code`)
  return (id) => {
    const [message] = load([id])
    if (message === undefined) return null
    const rows = {
      timeline: events.all(id),
      postings: postings.all(id),
      reports: reports.all(id),
      links: links.all(id),
    }
    return { message, ...readTrace(vault, rows) }
  }
}
