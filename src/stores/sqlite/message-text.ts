/** The contents of messages: sealed, in rows of their own, so that texts can be deleted while their messages stay. */
import type { MessageColumns, MessageRow } from '../rows/message-row.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

/** Seals and stores the contents of a message, a JSON list. */
export function keepText({ database, vault }: Session): (msgId: number, contents: string) => void {
  const insert = new Statement(database, 'INSERT INTO message_text (msg_id, sealed) VALUES (?, ?)')
  return (msgId, contents) => void insert.run(msgId, vault.sealBytes(contents))
}

/** Adds the contents to a message as read; null if they were deleted, or are in the plan. */
export function withText({ database, vault }: Session): (columns: MessageColumns) => MessageRow {
  const find = new Statement<[sealed: Uint8Array]>(database, 'SELECT sealed FROM message_text WHERE msg_id = ?')
  return (columns) => {
    const found = find.first(columns[0])
    return [...columns, found === undefined ? null : vault.openBytes(found[0])]
  }
}
