/**
 * Uploads the lines of a bulk in requests of a few thousand. A request that fails is sent again: the gateway skips the
 * lines that it has stored, so no line is stored twice.
 */
import { parseExact, writeExact } from './exact-json.ts'
import type { Id } from './operation.ts'
import { isObject } from './post.ts'
import { NoAnswerError, type Refusal, RequestError } from './posthorn-error.ts'
import { delayBefore, isPassing, isPassingRefusal } from './retry.ts'
import { readNumber, type Settings } from './settings.ts'
import { wait } from './wait.ts'

/** A recipient: the phone, and a member for each placeholder of the message. */
export interface BulkLine {
  readonly phone: number | string
  /** Comes back in the reports of the message. */
  readonly id?: Id | undefined
  readonly [placeholder: string]: Id | undefined
}

export type BulkLines = Iterable<BulkLine> | AsyncIterable<BulkLine>

export interface UploadedLines {
  /** Lines of the bulk so far, refused ones included. */
  readonly lines: number
  /** `bulk/errors` lists them. */
  readonly refused: number
  /** The most that all lines can cost. */
  readonly estimate: number
  readonly currency: string
}

export interface UploadOptions {
  /** Aborts the upload; lines that were stored stay. */
  readonly signal?: AbortSignal | undefined
  /** Number of the first of the lines in the bulk, by default 1: one more than `lines` of `bulk/status` adds lines. */
  readonly fromLine?: number | undefined
}

/** Lines of one request. */
const LINES = 5_000

interface Uploading extends UploadOptions {
  readonly settings: Settings
  readonly apiKey: string
  readonly bulkId: number | string
}

/** Returns null for no lines. */
export async function uploadLines(uploading: Uploading, lines: BulkLines): Promise<UploadedLines | null> {
  let uploaded: UploadedLines | null = null
  let texts: string[] = []
  let from = readNumber('fromLine', uploading.fromLine ?? 1, 1, Number.MAX_SAFE_INTEGER)
  if (!/^\d{1,16}$/.test(String(uploading.bulkId))) throw new TypeError('bulkId: must be the bulk_id of bulk/create')
  if (!isIterable(lines)) throw new TypeError('lines: must be an array, a generator or another iterable of objects')
  for await (const line of lines) {
    if (!isObject(line)) throw new TypeError(`lines: line ${from + texts.length} must be an object with a phone`)
    texts.push(writeExact(line))
    if (texts.length < LINES) continue
    uploaded = await upload(uploading, from, texts)
    from += texts.length
    texts = []
  }
  return texts.length === 0 ? uploaded : upload(uploading, from, texts)
}

function isIterable(lines: unknown): boolean {
  return typeof lines === 'object' && lines !== null && (Symbol.iterator in lines || Symbol.asyncIterator in lines)
}

async function upload(uploading: Uploading, from: number, texts: readonly string[]): Promise<UploadedLines> {
  const { settings, signal } = uploading
  for (let tries = 1; ; tries += 1) {
    const facts = { tries, idempotencyKey: null }
    const answer = await post(uploading, from, texts.join('\n'))
    if ('lines' in answer) return answer
    const error =
      'refusal' in answer
        ? new RequestError(answer.refusal, facts)
        : new NoAnswerError('the upload got no answer of a gateway', { reason: 'network', cause: answer.cause }, facts)
    if (!answer.again || tries >= settings.retry.tries) throw error
    const delayMs = delayBefore(settings.retry, tries, Math.random(), null)
    settings.onRetry?.({ tries, delayMs, error })
    await wait(delayMs, signal)
  }
}

type Answer =
  | UploadedLines
  | { readonly refusal: Refusal; readonly again: boolean }
  | { readonly cause: unknown; readonly again: boolean }

async function post({ settings, apiKey, bulkId, signal }: Uploading, from: number, body: string): Promise<Answer> {
  signal?.throwIfAborted()
  const url = `${settings.bulkUrl}${bulkId}/lines?from_line=${from}`
  const headers = { 'Content-Type': 'application/x-ndjson', Authorization: `Bearer ${apiKey}` }
  const late = AbortSignal.timeout(settings.timeoutMs)
  const either = signal === undefined ? late : AbortSignal.any([signal, late])
  try {
    const response = await settings.fetch(url, { method: 'POST', headers, body, signal: either, redirect: 'manual' })
    if (response.status !== 200) return { cause: `HTTP ${response.status}`, again: isPassing(response.status) }
    return readAnswer(parseExact(await response.text()))
  } catch (cause) {
    signal?.throwIfAborted()
    return { cause, again: true }
  }
}

function readAnswer(value: unknown): Answer {
  if (!isObject(value)) return { cause: value, again: false }
  const { success, error, code, data } = value
  if (success === true && isObject(data)) return data as unknown as UploadedLines
  return { refusal: { text: String(error), code }, again: isPassingRefusal(code) }
}
