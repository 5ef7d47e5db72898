/** What is written beside an operator's change: who did it, and the request that must not be executed again. */
import type { AuditEntry } from '../../domain/audit.ts'
import type { ChangeRecord, ExecutedRequest } from '../../ports/change-record.ts'
import { ChangeOvertaken } from '../../ports/store.ts'
import type { Vault } from '../../ports/vault.ts'
import { answerPlace } from '../rows/seal-place.ts'
import type { Link } from './link.ts'
import type { Session } from './session.ts'
import { refuse } from './set-up-rows.ts'
import { rare } from './statement.ts'

const FIND_REQUEST = rare<[bodyHash: string, answer: string | null]>(
  'SELECT body_hash, answer FROM admin_request WHERE actor = $1 AND key = $2',
)
const INSERT_REQUEST = rare(
  'INSERT INTO admin_request (actor, key, body_hash, answer, keep_until) VALUES ($1, $2, $3, NULL, $4)',
)
const INSERT_ENTRY = rare(
  'INSERT INTO audit (at, actor, via, deed, subject, before, after) VALUES ($1, $2, $3, $4, $5, $6, $7)',
)
const KEEP_ANSWER = rare('UPDATE admin_request SET answer = $1 WHERE actor = $2 AND key = $3')

export class ChangeRecords {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  /** Before anything is written, with the revision as it is now. Throws a ChangeRefused. */
  async check({ revision, request }: ChangeRecord, present: number): Promise<void> {
    if (present !== revision) throw new ChangeOvertaken('somebody has changed the set-up meanwhile: look again')
    if (request !== null && (await this.#session.ask(FIND_REQUEST, request.actor, request.key)).length > 0) {
      refuse('a request with this Idempotency-Key has been executed')
    }
  }

  async write({ entries, request }: ChangeRecord): Promise<void> {
    await Promise.all(entries.map((entry) => this.#session.ask(INSERT_ENTRY, ...entryCells(entry))))
    if (request === null) return
    const { actor, key, bodyHash, keepUntil } = request
    await this.#session.ask(INSERT_REQUEST, actor, key, bodyHash, keepUntil)
  }
}

function entryCells({ at, actor, via, deed, subject, before, after }: AuditEntry) {
  return [at, actor, via, deed, subject, JSON.stringify(before), JSON.stringify(after)] as const
}

export async function findRequest(
  link: Link,
  vault: Vault,
  actor: string,
  key: string,
): Promise<ExecutedRequest | null> {
  const [row] = await link.ask(FIND_REQUEST, actor, key)
  return row === undefined
    ? null
    : { bodyHash: row[0], answer: row[1] === null ? null : vault.openAt(row[1], answerPlace(actor, key)) }
}

export interface KeptAnswer {
  readonly actor: string
  readonly key: string
  readonly answer: string
}

export async function keepAnswers(session: Session, answers: readonly KeptAnswer[]): Promise<readonly null[]> {
  await session.leased()
  const { vault } = session
  await Promise.all(
    answers.map(({ actor, key, answer }) =>
      session.ask(KEEP_ANSWER, vault.sealAt(answer, answerPlace(actor, key)), actor, key),
    ),
  )
  return answers.map(() => null)
}
