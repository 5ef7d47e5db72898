/**
 * Requests that were executed under an Idempotency-Key: their stored answers, compressed if they are long and repeat
 * themselves, such as the same error for each of 10,000 items.
 */
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { AcceptRequest, ItemOutcome, RecalledRequest, RequestKey } from '../../ports/stores/intake-store.ts'
import type { Vault } from '../../ports/system/vault.ts'
import type { CellsOf } from '../rows/cells/cells-of.ts'
import type { AdmissionOrder } from './admission-order.ts'
import type { FindUsed, UsageMeter } from './usage-meter.ts'

/** Shorter texts are not compressed: it costs more than it saves. */
const MIN_CHARACTERS = 2_048
const PACKED = 'z:'
/** Half the size of faster levels for equal errors, 13 ms for 4 MB of them. */
const OPTIONS = { level: 4 } as const

export function packText(json: string): string {
  return json.length < MIN_CHARACTERS ? json : PACKED + deflateRawSync(json, OPTIONS).toString('base64')
}

export function unpackText(text: string): string {
  if (!text.startsWith(PACKED)) return text
  return inflateRawSync(Buffer.from(text.slice(PACKED.length), 'base64')).toString()
}

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Bytes of a draft that are as much work as a row. */
const BYTES_PER_ROW = 4_096

/**
 * Packs the draft of a request outside the transaction and off the thread of the caller: it may be megabytes, which
 * take 80 ms. Requests without an idempotency key are returned at once.
 */
export function packDraft(request: AcceptRequest): AcceptRequest | Promise<AcceptRequest> {
  const { idempotency } = request
  if (idempotency === null || idempotency.draft.length < MIN_CHARACTERS) return request
  return deflate(idempotency.draft, OPTIONS).then((packed) => ({
    ...request,
    idempotency: { ...idempotency, draft: PACKED + packed.toString('base64') },
  }))
}

/** Unpacks the draft of a request that was executed before. All other outcomes are returned at once. */
export function unpackDraft<Outcome extends { readonly kind: string }>(outcome: Outcome): Outcome | Promise<Outcome> {
  if (!hasDraft(outcome) || !outcome.draft.startsWith(PACKED)) return outcome
  return inflate(Buffer.from(outcome.draft.slice(PACKED.length), 'base64')).then((draft) => ({
    ...outcome,
    draft: draft.toString(),
  }))
}

/** Returns how much work a request is, in rows. */
export function rowsOfRequest({ items, idempotency }: AcceptRequest): number {
  return items.length + Math.ceil((idempotency?.draft.length ?? 0) / BYTES_PER_ROW)
}

function hasDraft(outcome: object): outcome is { readonly draft: string } {
  return 'draft' in outcome
}

/** Requests executed under idempotency keys, and their outcomes: sealed, because they contain codes of calls. */
export type AnsweredRow = Readonly<
  CellsOf<'idempotency', 'account_id, key, body_hash, draft, outcomes, keep_until', { account_id: AccountId }>
>

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
