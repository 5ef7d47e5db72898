/** The client's settings: options, defaults and checks. */
import { type Fetch, isObject } from './post.ts'
import type { NoAnswerError, RequestError } from './posthorn-error.ts'
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts'

export interface PosthornOptions {
  /** The gateway's address, such as `https://gateway.example`; a path before the API's is kept. */
  readonly baseUrl: string
  /** The address for `enqueue`, if it is another one. */
  readonly asyncUrl?: string | undefined
  readonly apiKey: string
  /** Timeout of each try including its answer; 30,000 if absent. To limit the whole call, use a signal. */
  readonly timeoutMs?: number | undefined
  /** Five tries and waits of 0.5 to 20 seconds if absent. */
  readonly retry?: Partial<RetryPolicy> | undefined
  /** Called before each retry. */
  readonly onRetry?: ((retry: Retry) => void) | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined
}

export interface Retry {
  /** How often the request was sent so far. */
  readonly tries: number
  /** The wait before the next try. */
  readonly delayMs: number
  /** The error that would be thrown without a further try. */
  readonly error: RequestError | NoAnswerError
}

export interface Settings {
  readonly syncUrl: string
  readonly asyncUrl: string
  readonly bulkUrl: string
  readonly timeoutMs: number
  readonly retry: RetryPolicy
  readonly onRetry: ((retry: Retry) => void) | undefined
  readonly fetch: Fetch
}

const SYNC_PATH = '/api/json.php'
const ASYNC_PATH = '/v1/json'
const BULK_PATH = '/api/bulk/'
const ENDING = /(?:\/api\/json\.php|\/v1\/json)?\/*$/
const TIMEOUT_MS = 30_000
/** Timers allow no longer delays. */
export const LONGEST_MS = 2 ** 31 - 1

/** @throws TypeError that names the option and the rule, never its value. */
export function readSettings(options: PosthornOptions): Settings {
  if (!isObject(options)) throw new TypeError('options: must be an object with baseUrl and apiKey')
  const { baseUrl, asyncUrl = baseUrl, apiKey, timeoutMs = TIMEOUT_MS, retry = {}, onRetry, fetch } = options
  if (!isObject(retry)) throw new TypeError('retry: must be an object, such as { tries: 3 }')
  for (const [name, value] of Object.entries({ onRetry, fetch })) {
    if (value !== undefined && typeof value !== 'function') throw new TypeError(`${name}: must be a function`)
  }
  if (isMissing(apiKey)) {
    throw new TypeError('apiKey: is empty; is its environment variable set, such as POSTHORN_KEY?')
  }
  if (typeof apiKey !== 'string' || apiKey !== apiKey.trim()) {
    throw new TypeError('apiKey: must be the key itself, without white space around it')
  }
  return {
    syncUrl: readAddress('baseUrl', baseUrl) + SYNC_PATH,
    asyncUrl: readAddress('asyncUrl', asyncUrl) + ASYNC_PATH,
    bulkUrl: readAddress('baseUrl', baseUrl) + BULK_PATH,
    timeoutMs: readNumber('timeoutMs', timeoutMs, 1, LONGEST_MS),
    retry: {
      tries: readNumber('retry.tries', retry.tries ?? DEFAULT_RETRY.tries, 1, 100),
      firstDelayMs: readNumber('retry.firstDelayMs', retry.firstDelayMs ?? DEFAULT_RETRY.firstDelayMs, 0, LONGEST_MS),
      maxDelayMs: readNumber('retry.maxDelayMs', retry.maxDelayMs ?? DEFAULT_RETRY.maxDelayMs, 0, LONGEST_MS),
    },
    onRetry,
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

/**
 * Idempotency keys are sent in a header.
 * @throws TypeError for one that cannot be.
 */
export function checkIdempotencyKey(key: string): string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new TypeError('idempotencyKey: must be 1 to 255 visible ASCII characters')
  }
  return key
}

/** Without a trailing slash, and without the path of the API, with which programs often have the address. */
function readAddress(name: string, address: string): string {
  if (isMissing(address)) {
    throw new TypeError(`${name}: is empty; is its environment variable set, such as POSTHORN_URL?`)
  }
  let url: URL
  try {
    url = new URL(address)
  } catch {
    throw new TypeError(`${name}: must be an absolute http or https address`)
  }
  const plain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!plain || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new TypeError(`${name}: must be an http or https address without credentials, query and fragment`)
  }
  return (url.origin + url.pathname).replace(ENDING, '')
}

/** Whether it is what an environment variable gives that is not set. */
function isMissing(value: string | null | undefined): boolean {
  return value === undefined || value === null || value === ''
}

/** @throws TypeError that names the argument and the range. */
export function readNumber(name: string, value: number, least: number, most: number): number {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new TypeError(`${name}: must be a whole number from ${least} to ${most}`)
  }
  return value
}
