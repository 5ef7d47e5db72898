/**
 * The contents of messages, sealed: short ones in the row of their message, which saves a row, and longer ones in
 * message_text, because every change of a message rewrites its row. Older messages have theirs in message_text.
 */
import {
  MESSAGE_COLUMNS,
  type MessageColumns,
  type MessageRow,
  openHook,
  sealHook,
} from '../../rows/messages/message-row.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

/** Sealed bytes that are stored in the row of the message. A text of 160 characters has 230 to 390. */
const MAX_BYTES_IN_ROW = 512

/** The columns of a StoredMessage. */
const STORED_MESSAGE = `${MESSAGE_COLUMNS}, contents`
type StoredMessage = [...MessageColumns, contents: Uint8Array | null]

/** Stores a message, and its contents sealed. */
export function insertMessage({ database, vault }: Session): (row: MessageRow) => void {
  const insert = new SqlStatement(
    database,
    `INSERT INTO message (${STORED_MESSAGE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertText = new SqlStatement(database, 'INSERT INTO message_text (msg_id, sealed) VALUES (?, ?)')
  return (given) => {
    const row = sealHook(given, vault)
    const sealed = vault.sealBytes(row.at(-1) as string)
    const isShort = sealed.length <= MAX_BYTES_IN_ROW
    insert.run(...(row.slice(0, -1) as MessageColumns), isShort ? sealed : null)
    if (!isShort) insertText.run(row[0], sealed)
  }
}

/** Opens the contents of a stored message; null if they were deleted, or are in the plan. */
function openMessage({ database, vault }: Session): (stored: StoredMessage) => MessageRow {
  const find = new SqlStatement<[sealed: Uint8Array]>(database, 'SELECT sealed FROM message_text WHERE msg_id = ?')
  return (stored) => {
    const sealed = (stored.at(-1) as Uint8Array | null) ?? find.first(stored[0])?.[0] ?? null
    return openHook(stored, vault).with(-1, sealed === null ? null : vault.openBytes(sealed)) as MessageRow
  }
}

/** In the order of the ids; unknown ones are left out. */
export function loadMessages(session: Session): (ids: readonly number[]) => MessageRow[] {
  const load = new SqlStatement<StoredMessage>(
    session.database,
    `SELECT ${STORED_MESSAGE} FROM message WHERE msg_id = ?`,
  )
  const open = openMessage(session)
  return (ids) => ids.flatMap((id) => load.all(id).map(open))
}
