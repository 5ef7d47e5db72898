/**
 * Compresses long repetitive texts, such as the same error for each of 10,000 items. A stored answer is JSON, so it
 * never begins with the marker of a compressed one.
 */
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import type { AcceptRequest } from '../../ports/stores/intake-store.ts'

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
