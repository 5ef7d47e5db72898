/**
 * One try: one POST and its answer. Follows no redirect, because the body holds the key. Rejects only when the caller's
 * signal says so.
 */
import { parseExact } from './exact-json.ts'
import type { Failure, Refusal } from './posthorn-error.ts'
import { isPassing, isPassingRefusal, readRetryAfter } from './retry.ts'

/** What this client needs of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Post {
  readonly url: string
  readonly body: string
  readonly idempotencyKey: string | null
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** `again` says that the same request may be answered otherwise later. */
export type Outcome =
  | { readonly kind: 'answer'; readonly requestId: string | null; readonly results: readonly unknown[] }
  | { readonly kind: 'refusal'; readonly refusal: Refusal; readonly again: boolean; readonly askedMs: number | null }
  | { readonly kind: 'none'; readonly failure: Failure; readonly again: boolean; readonly askedMs: number | null }

export async function post(fetch: Fetch, request: Post): Promise<Outcome> {
  const { signal, timeoutMs } = request
  signal?.throwIfAborted()
  const controller = new AbortController()
  const cancel = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', cancel)
  let late = false
  const timer = setTimeout(() => {
    late = true
    controller.abort()
  }, timeoutMs)
  try {
    return await send(fetch, request, controller.signal)
  } catch (cause) {
    signal?.throwIfAborted()
    const failure: Failure = late ? { reason: 'timeout' } : { reason: 'network', cause }
    return { kind: 'none', failure, again: true, askedMs: null }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

async function send(fetch: Fetch, { url, body, idempotencyKey }: Post, signal: AbortSignal): Promise<Outcome> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (idempotencyKey !== null) headers['Idempotency-Key'] = idempotencyKey
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
  if (response.status === 200) return readAnswer(await response.text())
  // The connection is free for others once the body is gone; that it cannot be read to its end does not matter.
  await response.body?.cancel().catch(() => undefined)
  const failure: Failure = { reason: 'status', status: response.status }
  const askedMs = readRetryAfter(response.headers.get('Retry-After'), Date.now())
  return { kind: 'none', failure, again: isPassing(response.status), askedMs }
}

const NO_ANSWER: Outcome = { kind: 'none', failure: { reason: 'answer' }, again: false, askedMs: null }

function readAnswer(text: string): Outcome {
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    return NO_ANSWER
  }
  if (!isObject(value)) return NO_ANSWER
  const { success, error, code, data, request_id: requestId } = value
  if (success === false && typeof error === 'string') {
    return { kind: 'refusal', refusal: { text: error, code }, again: isPassingRefusal(code), askedMs: null }
  }
  if (success !== true || !Array.isArray(data)) return NO_ANSWER
  return { kind: 'answer', requestId: typeof requestId === 'string' ? requestId : null, results: data }
}

export interface JsonObject {
  readonly success?: unknown
  readonly error?: unknown
  readonly code?: unknown
  readonly field?: unknown
  readonly warnings?: unknown
  readonly data?: unknown
  readonly request_id?: unknown
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
