/**
 * Requests that were executed under idempotency keys, and what was answered to them: sealed, for codes of calls are in it.
 * Those of a batch are read at once, and become request by request what they will be in the database.
 */
import type { AccountId } from '../../domain/account.ts'
import { bucketOf } from '../../domain/message-id.ts'
import type { AcceptRequest, ItemOutcome, RecalledRequest, RequestKey } from '../../ports/store.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Cell } from '../rows/cell.ts'
import { ByBucket } from './by-bucket.ts'
import type { Link } from './link.ts'
import type { Session } from './session.ts'
import { inBucket, insertion, unnest } from './statement.ts'

type KeyRow = [accountId: AccountId, key: string, bodyHash: string, draft: string, outcomes: string, keepUntil: number]

const FIND = inBucket<KeyRow>(
  `SELECT account_id, key, body_hash, draft, outcomes, keep_until FROM idempotency
   JOIN ${unnest({ account_id: 'bigint', key: 'text' }, 2)} USING (account_id, key) WHERE bucket = $1`,
)
/** In place of one whose time has passed. */
const KEEP = insertion(
  'idempotency',
  {
    account_id: 'bigint',
    key: 'text',
    body_hash: 'text',
    draft: 'text',
    outcomes: 'text',
    keep_until: 'bigint',
  },
  `ON CONFLICT (bucket, account_id, key) DO UPDATE SET body_hash = excluded.body_hash, draft = excluded.draft,
     outcomes = excluded.outcomes, keep_until = excluded.keep_until`,
)

export class AnsweredRequests {
  readonly #session: Session
  readonly #known: Map<string, KeyRow>
  /** By name, for a statement cannot keep the same key twice. */
  readonly #new = new Map<string, KeyRow>()

  private constructor(session: Session, known: Map<string, KeyRow>) {
    this.#session = session
    this.#known = known
  }

  static async open(session: Session, requests: readonly AcceptRequest[]): Promise<AnsweredRequests> {
    const asked = new ByBucket<Cell[]>()
    for (const { accountId, idempotency } of requests) {
      if (idempotency !== null) asked.add(bucketOf(accountId), [accountId, idempotency.key])
    }
    const found = await Promise.all(asked.entries().map(([bucket, rows]) => session.askFor(FIND, bucket, rows)))
    return new AnsweredRequests(session, new Map(found.flat().map((row) => [nameOf(row[0], row[1]), row])))
  }

  /** Null when it was not executed before. */
  find({ accountId, idempotency, now }: AcceptRequest): RecalledRequest | null {
    if (idempotency === null) return null
    return read(this.#known.get(nameOf(accountId, idempotency.key)), idempotency, this.#session.vault, now)
  }

  keep({ accountId, idempotency }: AcceptRequest, outcomes: readonly ItemOutcome[]): void {
    if (idempotency === null) return
    const { key, bodyHash, draft, keepUntil } = idempotency
    const { vault } = this.#session
    const row: KeyRow = [accountId, key, bodyHash, vault.seal(draft), vault.seal(JSON.stringify(outcomes)), keepUntil]
    const name = nameOf(accountId, key)
    this.#known.set(name, row)
    this.#new.set(name, row)
  }

  write(): void {
    const rows = new ByBucket<KeyRow>()
    for (const row of this.#new.values()) rows.add(bucketOf(row[0]), row)
    for (const [bucket, each] of rows.entries()) this.#session.insert(KEEP, bucket, each)
  }
}

/** Whether a request was executed before, by its key. */
export async function recall(
  link: Link,
  vault: Vault,
  accountId: AccountId,
  request: RequestKey,
  now: number,
): Promise<RecalledRequest | null> {
  const [row] = await link.ask(FIND, bucketOf(accountId), [accountId], [request.key])
  return read(row, request, vault, now)
}

function read(row: KeyRow | undefined, request: RequestKey, vault: Vault, now: number): RecalledRequest | null {
  if (row === undefined) return null
  const [, , bodyHash, draft, outcomes, keepUntil] = row
  if (keepUntil <= now) return null
  if (bodyHash !== request.bodyHash) return { kind: 'conflict' }
  return { kind: 'replayed', draft: vault.openText(draft), outcomes: JSON.parse(vault.openText(outcomes)) }
}

function nameOf(accountId: number, key: string): string {
  return `${accountId} ${key}`
}
