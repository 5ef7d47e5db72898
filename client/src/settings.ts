/** The client's settings: what may be given, what holds otherwise, and what cannot be right. */
import type { Fetch } from './post.ts'
import type { NoAnswerError, RequestError } from './posthorn-error.ts'
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts'

export interface PosthornOptions {
  /** The gateway's address, as `https://gateway.example`; a path in front of the API's is kept. */
  readonly baseUrl: string
  /** The address for `enqueue`, where it is another one. */
  readonly asyncUrl?: string | undefined
  readonly apiKey: string
  /** How long each try may take, its answer included; 30,000 when absent. For a bound of the whole use a signal. */
  readonly timeoutMs?: number | undefined
  /** Five tries, waits of 0.5 to 20 seconds, when absent. */
  readonly retry?: Partial<RetryPolicy> | undefined
  /** Told before each further try. */
  readonly onRetry?: ((retry: Retry) => void) | undefined
  /** Stands in for the global `fetch`. */
  readonly fetch?: Fetch | undefined
}

export interface Retry {
  /** How often the request was sent so far. */
  readonly tries: number
  /** After so long it is sent again. */
  readonly delayMs: number
  /** What would be thrown if there were no further try. */
  readonly error: RequestError | NoAnswerError
}

export interface Settings {
  readonly syncUrl: string
  readonly asyncUrl: string
  readonly timeoutMs: number
  readonly retry: RetryPolicy
  readonly onRetry: ((retry: Retry) => void) | undefined
  readonly fetch: Fetch
}

const SYNC_PATH = '/api/json.php'
const ASYNC_PATH = '/v1/json'
const TIMEOUT_MS = 30_000
/** Timers take no longer delays. */
const LONGEST_MS = 2 ** 31 - 1

/** @throws TypeError that names the option and the rule, never its value. */
export function readSettings(options: PosthornOptions): Settings {
  const { baseUrl, asyncUrl = baseUrl, apiKey, timeoutMs = TIMEOUT_MS, retry = {}, onRetry } = options
  if (typeof apiKey !== 'string' || apiKey === '' || apiKey !== apiKey.trim()) {
    throw new TypeError('apiKey: must be the key itself, without white space around it')
  }
  return {
    syncUrl: readAddress('baseUrl', baseUrl) + SYNC_PATH,
    asyncUrl: readAddress('asyncUrl', asyncUrl) + ASYNC_PATH,
    timeoutMs: readNumber('timeoutMs', timeoutMs, 1, LONGEST_MS),
    retry: {
      tries: readNumber('retry.tries', retry.tries ?? DEFAULT_RETRY.tries, 1, 100),
      firstDelayMs: readNumber('retry.firstDelayMs', retry.firstDelayMs ?? DEFAULT_RETRY.firstDelayMs, 0, LONGEST_MS),
      maxDelayMs: readNumber('retry.maxDelayMs', retry.maxDelayMs ?? DEFAULT_RETRY.maxDelayMs, 0, LONGEST_MS),
    },
    onRetry,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

/** Idempotency keys go into a header. @throws TypeError for what does not fit there. */
export function checkIdempotencyKey(key: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new TypeError('idempotencyKey: must be 1 to 255 visible ASCII characters')
  }
  return key
}

/** Without a slash at its end. */
function readAddress(name: string, address: string): string {
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
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

function readNumber(name: string, value: number, least: number, most: number): number {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new TypeError(`${name}: must be a whole number from ${least} to ${most}`)
  }
  return value
}
