/** Writes and reads whole messages. */
import { bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import type { Message } from '../../../domain/message/message.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import {
  fromMessageRow,
  MESSAGE_COLUMNS,
  type MessageColumns,
  type MessageRow,
  openHook,
  sealHook,
} from '../../rows/messages/message-row.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket, insertion } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

const INSERT_MESSAGES = insertion('message', MESSAGE_COLUMNS)

const INSERT_TEXTS = insertion('message_text', 'msg_id, sealed')

/** A message with its contents; null if those were deleted. */
export type StoredMessage = [...MessageColumns, sealed: Uint8Array | null]

/** The columns of message and message_text in a StoredMessage. */
export const STORED_MESSAGE = `${MESSAGE_COLUMNS}, message_text.sealed`

const LOAD = inBucket<StoredMessage>(
  `SELECT ${STORED_MESSAGE} FROM message LEFT JOIN message_text USING (bucket, msg_id)
   WHERE bucket = $1 AND msg_id = ANY ($2::bigint[])`,
)

/** Inserts new messages; their contents are sealed in a table of their own, while the server inserts the messages. */
export function insertMessages(session: Session, rows: readonly MessageRow[]): void {
  const { vault } = session
  session.insert(
    INSERT_MESSAGES,
    ByBucket.of(
      rows.map((row) => sealHook(row, vault).slice(0, -1)),
      bucketOfRow,
    ),
  )
  session.flush()
  const texts = rows.map((row) => [row[0], vault.sealBytes(row.at(-1) as string)] as const)
  session.insert(INSERT_TEXTS, ByBucket.of(texts, bucketOfRow))
}

function bucketOfRow([id]: readonly Cell[]): number {
  return bucketOfMessage(id as MessageId)
}

export function readMessage(stored: StoredMessage, vault: Vault): Message {
  const sealed = stored.at(-1) as Uint8Array | null
  return fromMessageRow([
    ...openHook(stored, vault).slice(0, -1),
    sealed === null ? null : vault.openBytes(sealed),
  ] as MessageRow)
}

/** In the order of the ids; unknown ones are left out. */
export async function loadMessages(
  connection: Pick<Connection, 'query'>,
  vault: Vault,
  ids: readonly MessageId[],
): Promise<readonly Message[]> {
  const asked = new ByBucket<number>()
  for (const id of ids) asked.add(bucketOfMessage(id), id)
  const read = await Promise.all(asked.entries().map(([bucket, each]) => connection.query(LOAD, bucket, each)))
  const found = new Map(read.flat().map((row) => [row[0], readMessage(row, vault)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}
