/** Executed requests to the admin API and their answers. */
import type { ExecutedRequest } from '../../../ports/changes/change-record.ts'
import { answerPlace } from '../../rows/sealing/seal-place.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

export function findRequest({ database, vault }: Session): (actor: string, key: string) => ExecutedRequest | null {
  const find = new Statement<[bodyHash: string, answer: string | null]>(
    database,
    'SELECT body_hash, answer FROM admin_request WHERE actor = ? AND key = ?',
  )
  return (actor, key) => {
    const row = find.first(actor, key)
    return row === undefined
      ? null
      : { bodyHash: row[0], answer: row[1] === null ? null : vault.openAt(row[1], answerPlace(actor, key)) }
  }
}

export function keepAnswer({ database, vault }: Session): (actor: string, key: string, answer: string) => void {
  const keep = new Statement(database, 'UPDATE admin_request SET answer = ? WHERE actor = ? AND key = ?')
  return (actor, key, answer) => void keep.run(vault.sealAt(answer, answerPlace(actor, key)), actor, key)
}
