/** Executed requests to the admin API and their answers. */
import type { ExecutedRequest } from '../../../ports/changes/change-record.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { answerPlace } from '../../rows/sealing/seal-place.ts'
import type { Link } from '../connection/link.ts'
import { rare } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

const FIND_REQUEST = rare<[bodyHash: string, answer: string | null]>(
  'SELECT body_hash, answer FROM admin_request WHERE actor = $1 AND key = $2',
)
const KEEP_ANSWER = rare('UPDATE admin_request SET answer = $1 WHERE actor = $2 AND key = $3')

export async function findRequest(
  link: Link,
  vault: Vault,
  actor: string,
  key: string,
): Promise<ExecutedRequest | null> {
  const [row] = await link.query(FIND_REQUEST, actor, key)
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
      session.query(KEEP_ANSWER, vault.sealAt(answer, answerPlace(actor, key)), actor, key),
    ),
  )
  return answers.map(() => null)
}
