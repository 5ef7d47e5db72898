/** What is written beside an operator's change: who did it, and the request that must not be executed again. */
import type { AuditEntry } from '../../domain/audit.ts'
import type { ChangeRecord, ExecutedRequest } from '../../ports/change-record.ts'
import { ChangeOvertaken } from '../../ports/store.ts'
import { answerPlace } from '../rows/seal-place.ts'
import { directoryRevision } from './load-directory.ts'
import type { Session } from './session.ts'
import { refuse } from './set-up-rows.ts'
import { Statement } from './statement.ts'

export class ChangeRecords {
  readonly #revision: () => number
  readonly #findRequest: ReturnType<typeof findRequest>
  readonly #insertEntry: Statement
  readonly #insertRequest: Statement

  constructor(session: Session) {
    const { database } = session
    this.#revision = directoryRevision(session)
    this.#findRequest = findRequest(session)
    this.#insertEntry = new Statement(
      database,
      'INSERT INTO audit (at, actor, via, deed, subject, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    this.#insertRequest = new Statement(
      database,
      'INSERT INTO admin_request (actor, key, body_hash, answer, keep_until) VALUES (?, ?, ?, NULL, ?)',
    )
  }

  /** Before anything is written. Throws a ChangeRefused. */
  check({ revision, request }: ChangeRecord): void {
    if (this.#revision() !== revision) {
      throw new ChangeOvertaken('somebody has changed the set-up meanwhile: look again')
    }
    if (request !== null && this.#findRequest(request.actor, request.key) !== null) {
      refuse('a request with this Idempotency-Key has been executed')
    }
  }

  write({ entries, request }: ChangeRecord): void {
    for (const entry of entries) this.#insertEntry.run(...entryCells(entry))
    if (request === null) return
    const { actor, key, bodyHash, keepUntil } = request
    this.#insertRequest.run(actor, key, bodyHash, keepUntil)
  }
}

function entryCells({ at, actor, via, deed, subject, before, after }: AuditEntry) {
  return [at, actor, via, deed, subject, JSON.stringify(before), JSON.stringify(after)] as const
}

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
