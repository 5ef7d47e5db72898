/** Reads the trace of one message at once. */
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { Trace } from '../../../ports/records/trace.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { traceParts } from '../../commands/reading/traces.ts'
import { select } from '../../commands/statement/sql.ts'
import { INBOUND_COLUMNS, type InboundRow } from '../../rows/messages/inbound-row.ts'
import type { Connection } from '../connection/connection.ts'
import { loadMessages } from '../requests/stored-message.ts'
import { runOn } from '../session/run-command.ts'

export const FIND_INBOUND = select<InboundRow>(
  'inbound_message',
  INBOUND_COLUMNS,
  'WHERE {bucket} account_id IS NOT NULL AND event_id = ?',
)

export async function trace(connection: Connection, vault: Vault, id: MessageId): Promise<Trace | null> {
  const [[message], parts] = await Promise.all([
    loadMessages(connection, vault, [id]),
    runOn(connection, vault, traceParts(id)),
  ])
  return message === undefined ? null : { message, ...parts }
}
