/** Reads the trace of one message at once. */
import { BUCKETS, type MessageId } from '../../../domain/ids/message-id.ts'
import type { Trace } from '../../../ports/records/trace.ts'
import { traceParts } from '../../commands/reading/traces.ts'
import { select } from '../../commands/statement/sql.ts'
import { INBOUND_COLUMNS, type InboundRow } from '../../rows/messages/inbound-row.ts'
import type { MessageRow } from '../../rows/messages/message-row.ts'
import { loadMessages } from '../requests/stored-message.ts'
import type { Session } from '../session/session.ts'
import type { RunCommand } from '../statement/run-command.ts'

/** Names the accounts whose id the message may have, so that an index finds it. */
export const FIND_INBOUND = select<InboundRow>(
  'inbound_message',
  INBOUND_COLUMNS,
  `WHERE event_id = ?1 AND account_id IN (SELECT account_id FROM account WHERE account_id % ${BUCKETS} = ?1 % ${BUCKETS})`,
)

/** A Trace whose message is still a row. */
export interface TraceRows extends Omit<Trace, 'message'> {
  readonly message: MessageRow
}

export function trace(session: Session, run: RunCommand): (id: MessageId) => TraceRows | null {
  const load = loadMessages(session)
  return (id) => {
    const [message] = load([id])
    return message === undefined ? null : { message, ...run(traceParts(id)) }
  }
}
