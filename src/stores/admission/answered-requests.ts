/** Requests executed under idempotency keys, and their outcomes: sealed, because they contain codes of calls. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { ItemOutcome, RecalledRequest, RequestKey } from '../../ports/stores/intake-store.ts'
import type { Vault } from '../../ports/system/vault.ts'
import type { AdmissionOrder } from './admission-order.ts'
import { packText, unpackText } from './pack-text.ts'
import type { FindUsed, UsageMeter } from './usage-meter.ts'

export type AnsweredRow = readonly [
  accountId: AccountId,
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
  readonly #meter: UsageMeter
  /** Of this transaction, by name: one statement cannot write the same key twice. */
  readonly #new = new Map<string, AnsweredRow>()

  constructor(find: FindAnswered, vault: Vault, meter: UsageMeter) {
    this.#find = find
    this.#vault = vault
    this.#meter = meter
  }

  /** Returns null if the request has to be executed. */
  find({ accountId, idempotency, now }: AdmissionOrder): RecalledRequest | null {
    if (idempotency === null) return null
    const row = this.#new.get(nameOf(accountId, idempotency.key)) ?? this.#find(accountId, idempotency.key)
    const used: FindUsed = (window) => this.#meter.usedOf(window)
    return recallRequest(row, idempotency, this.#vault, now) ?? refuseIfFull(idempotency, used)
  }

  keep({ accountId, idempotency }: AdmissionOrder, outcomes: readonly ItemOutcome[]): void {
    if (idempotency === null) return
    const { key, bodyHash, draft, keepUntil, room } = idempotency
    const kept = packText(JSON.stringify(outcomes))
    const row = [accountId, key, bodyHash, this.#vault.seal(draft), this.#vault.seal(kept), keepUntil] as const
    this.#new.set(nameOf(accountId, key), row)
    if (room !== undefined) this.#meter.count([room.window], bytesOf(row))
  }

  rows(): readonly AnsweredRow[] {
    return [...this.#new.values()]
  }
}

/** Returns the request executed under the key before, its draft as packed; null if there was none or it has expired. */
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
  const kept = unpackText(vault.openText(outcomes))
  return { kind: 'replayed', draft: vault.openText(draft), outcomes: JSON.parse(kept) }
}

/**
 * Refuses a new key if the account stores as many bytes as it may. The size of an answer is known only after execution,
 * so the last stored answer may exceed the limit.
 */
export function refuseIfFull({ room }: RequestKey, used: FindUsed): RecalledRequest | null {
  if (room === undefined || room.maxBytes === null) return null
  return used(room.window).micros >= room.maxBytes ? { kind: 'no room' } : null
}

function bytesOf([, ...cells]: AnsweredRow): number {
  return cells.reduce<number>((sum, cell) => sum + Buffer.byteLength(String(cell)), 0)
}

function nameOf(accountId: number, key: string): string {
  return `${accountId} ${key}`
}
