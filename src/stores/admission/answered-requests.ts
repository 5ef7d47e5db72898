/** Requests that were executed under idempotency keys, and their outcomes: sealed, for codes of calls are in them. */
import type { ItemOutcome, RecalledRequest, RequestKey } from '../../ports/intake-store.ts'
import type { Vault } from '../../ports/vault.ts'
import type { AdmissionOrder } from './admission-order.ts'
import { packText, unpackText } from './pack-text.ts'

export type AnsweredRow = readonly [
  accountId: number,
  key: string,
  bodyHash: string,
  draft: string,
  outcomes: string,
  keepUntil: number,
]

/** What is stored under an idempotency key of an account. */
export type FindAnswered = (accountId: number, key: string) => AnsweredRow | undefined

export class AnsweredRequests {
  readonly #find: FindAnswered
  readonly #vault: Vault
  /** Of this transaction, by name, for a statement cannot keep the same key twice. */
  readonly #new = new Map<string, AnsweredRow>()

  constructor(find: FindAnswered, vault: Vault) {
    this.#find = find
    this.#vault = vault
  }

  /** Null when it was not executed before. */
  find({ accountId, idempotency, now }: AdmissionOrder): RecalledRequest | null {
    if (idempotency === null) return null
    const row = this.#new.get(nameOf(accountId, idempotency.key)) ?? this.#find(accountId, idempotency.key)
    return recallRequest(row, idempotency, this.#vault, now)
  }

  keep({ accountId, idempotency }: AdmissionOrder, outcomes: readonly ItemOutcome[]): void {
    if (idempotency === null) return
    const { key, bodyHash, draft, keepUntil } = idempotency
    const seal = (text: string) => this.#vault.seal(packText(text))
    const row = [accountId, key, bodyHash, seal(draft), seal(JSON.stringify(outcomes)), keepUntil] as const
    this.#new.set(nameOf(accountId, key), row)
  }

  rows(): readonly AnsweredRow[] {
    return [...this.#new.values()]
  }
}

/** What the key was used for before; null when it was not, or when its time is over. */
export function recallRequest(
  row: AnsweredRow | undefined,
  request: RequestKey,
  vault: Vault,
  now: number,
): RecalledRequest | null {
  if (row === undefined) return null
  const [, , bodyHash, draft, outcomes, keepUntil] = row
  if (keepUntil <= now) return null
  if (bodyHash !== request.bodyHash) return { kind: 'conflict' }
  const open = (cell: string) => unpackText(vault.openText(cell))
  return { kind: 'replayed', draft: open(draft), outcomes: JSON.parse(open(outcomes)) }
}

function nameOf(accountId: number, key: string): string {
  return `${accountId} ${key}`
}
