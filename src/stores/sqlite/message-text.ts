/** What the steps of messages carry: sealed, in rows of their own, so that texts can go and their messages stay. */
import type { MessageColumns, MessageRow } from '../rows/message-row.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

/** Seals what a message carries, a JSON list, and writes it down. */
export function keepText({ database, vault }: Session): (msgId: number, contents: string) => void {
  const insert = new Statement(database, 'INSERT INTO message_text (msg_id, sealed) VALUES (?, ?)')
  return (msgId, contents) => void insert.run(msgId, vault.sealBytes(contents))
}

/** Completes a message as it was read with what it carries; null where that is gone, or stands in the plan. */
export function withText({ database, vault }: Session): (columns: MessageColumns) => MessageRow {
  const find = new Statement<[sealed: Uint8Array]>(database, 'SELECT sealed FROM message_text WHERE msg_id = ?')
  return (columns) => {
    const found = find.first(columns[0])
    return [...columns, found === undefined ? null : vault.openBytes(found[0])]
  }
}
