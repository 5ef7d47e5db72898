/** Executed requests to the admin API and their answers. */
import type { ExecutedRequest } from '../../../ports/changes/change-record.ts'
import { type Command, first, write } from '../statement/command.ts'
import { select, update } from '../statement/sql.ts'

const FIND = select<[actor: string, key: string, bodyHash: string, answer: string | null]>(
  'admin_request',
  'actor, key, body_hash, answer',
  'WHERE actor = ? AND key = ?',
)
const KEEP = update('admin_request', 'answer', 'actor, key')

export function* findRequest(actor: string, key: string): Command<ExecutedRequest | null> {
  const [, , bodyHash, answer = null] = (yield* first(FIND, actor, key)) ?? []
  return bodyHash === undefined ? null : { bodyHash, answer }
}

export function keepAnswer(actor: string, key: string, answer: string): Command<void> {
  return write(KEEP, [answer, actor, key])
}
