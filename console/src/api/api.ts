/**
 * The typed client of the admin API. Requests go to this host only, with the session's cookie. Asks for a new proof of
 * identity where a change needs one, and reports the end of the session.
 */
import { gatewayText } from '../texts/gateway-texts.ts'
import type { AdminApi } from './admin-api.ts'
import { ApiError, readProblem } from './problem.ts'
import { noteAnswer, noteSilence } from './silence.ts'

const BASE = '/admin/v1'
const PROOF_WANTED = 'insufficient_user_authentication'
/** A wrong login ends no session. */
const LOGINS: readonly string[] = ['/session', '/session/link', '/session/passkey']

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type CallName = keyof AdminApi
/** Paths that have this method: `/accounts/{account}`. */
export type PathOf<M extends Method> = CallName extends infer Name
  ? Name extends `${M} ${infer Path}`
    ? Path
    : never
  : never
type Call<M extends Method, P extends string> = `${M} ${P}` extends CallName ? AdminApi[`${M} ${P}`] : never
export type AnswerOf<M extends Method, P extends PathOf<M>> = Call<M, P>['answer']
export type BodyOf<M extends Method, P extends PathOf<M>> = Call<M, P>['body']
export type QueryOf<P extends PathOf<'GET'>> = Call<'GET', P>['query']
export type ParamsOf<M extends Method, P extends PathOf<M>> = Call<M, P>['params']

/** A part of the input: required if it has a required field. */
type Part<Name extends string, T> = keyof T extends never
  ? { readonly [N in Name]?: undefined }
  : Partial<T> extends T
    ? { readonly [N in Name]?: T | undefined }
    : { readonly [N in Name]: T }

interface Options {
  readonly signal?: AbortSignal | undefined
  /** Of a write: reuse it to repeat the same request; a new one by default. */
  readonly key?: string | undefined
  /** ETag of the version that the change is based on. */
  readonly ifMatch?: string | null | undefined
}

export type InputOf<M extends Method, P extends PathOf<M>> = Part<'params', Call<M, P>['params']> &
  Part<'query', Call<M, P>['query']> &
  Part<'body', Call<M, P>['body']> &
  Options

/** The input may be left out if nothing in it is required. */
type Input<M extends Method, P extends PathOf<M>> =
  Options extends InputOf<M, P> ? [input?: InputOf<M, P>] : [input: InputOf<M, P>]

interface AnyInput extends Options {
  readonly params?: object | undefined
  readonly query?: object | undefined
  readonly body?: object | undefined
}

export interface Versioned<T> {
  readonly answer: T
  /** Null if the endpoint has none. */
  readonly etag: string | null
}

interface Hooks {
  /** Resolves with whether the user has proven identity again. */
  askForProof(): Promise<boolean>
  /** The session has ended. */
  signedOut(): void
}

let hooks: Hooks = { askForProof: async () => false, signedOut: () => undefined }

/** Called once by the frame. */
export function connectApi(frame: Hooks): void {
  hooks = frame
}

/** All reject with ApiError, or with AbortError. */
export const api = {
  get: <P extends PathOf<'GET'>>(path: P, ...[input]: Input<'GET', P>) => run<AnswerOf<'GET', P>>('GET', path, input),
  post: <P extends PathOf<'POST'>>(path: P, ...[input]: Input<'POST', P>) =>
    run<AnswerOf<'POST', P>>('POST', path, input),
  put: <P extends PathOf<'PUT'>>(path: P, ...[input]: Input<'PUT', P>) => run<AnswerOf<'PUT', P>>('PUT', path, input),
  patch: <P extends PathOf<'PATCH'>>(path: P, ...[input]: Input<'PATCH', P>) =>
    run<AnswerOf<'PATCH', P>>('PATCH', path, input),
  delete: <P extends PathOf<'DELETE'>>(path: P, ...[input]: Input<'DELETE', P>) =>
    run<AnswerOf<'DELETE', P>>('DELETE', path, input),
  /** For forms that change what they have read: returns the ETag for `ifMatch`. */
  getVersioned: <P extends PathOf<'GET'>>(path: P, ...[input]: Input<'GET', P>) =>
    runVersioned<AnswerOf<'GET', P>>('GET', path, input),
}

/** Returns a new idempotency key. */
export function makeRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the address of a download, such as a CSV file. */
export function addressOf(path: string, { params, query }: Pick<AnyInput, 'params' | 'query'> = {}): string {
  const values = { ...params } as Readonly<Record<string, unknown>>
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => writePart(String(values[name] ?? '')))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== '') search.append(name, String(each))
    }
  }
  return `${BASE}${filled}${search.size === 0 ? '' : `?${search}`}`
}

/** Browsers resolve `.` and `..`, also when escaped once, and would ask for another thing. */
function writePart(name: string): string {
  return encodeURIComponent(/^\.{1,2}$/.test(name) ? name.replaceAll('.', '%2E') : name)
}

async function run<T>(method: Method, path: string, input: AnyInput = {}): Promise<T> {
  return (await runVersioned<T>(method, path, input)).answer
}

async function runVersioned<T>(method: Method, path: string, input: AnyInput = {}): Promise<Versioned<T>> {
  // A repeat after a proof is the same request.
  const request = () => send(method, path, { ...input, key })
  const key = input.key ?? makeRequestKey()
  let response = await request()
  if (wantsProof(response) && (await hooks.askForProof())) response = await request()
  if (response.status === 401 && !wantsProof(response) && !LOGINS.includes(path)) hooks.signedOut()
  if (!response.ok) throw await readProblem(response)
  const answer = response.status === 204 ? undefined : await response.json()
  return { answer: answer as T, etag: response.headers.get('etag') }
}

function wantsProof(response: Response): boolean {
  return response.status === 401 && response.headers.get('www-authenticate')?.includes(PROOF_WANTED) === true
}

/** JSON has no number for a text that is none: without this, it would arrive as null, which removes a setting. */
function writeBody(body: object): string {
  return JSON.stringify(body, (field, value: unknown) => {
    if (typeof value !== 'number' || Number.isFinite(value)) return value
    const detail = gatewayText('must be a number, such as 5.5')
    throw new ApiError(400, '', detail, [{ field, detail }])
  })
}

async function send(method: Method, path: string, input: AnyInput): Promise<Response> {
  const { signal = null, key, ifMatch } = input
  const isWrite = method !== 'GET'
  const headers = {
    Accept: 'application/json',
    // The gateway refuses writes of other types, which a foreign page could send.
    ...(isWrite ? { 'Content-Type': 'application/json', 'Idempotency-Key': key ?? '' } : {}),
    ...(typeof ifMatch === 'string' ? { 'If-Match': ifMatch } : {}),
  }
  const body = isWrite && input.body !== undefined ? writeBody(input.body) : null
  try {
    const response = await fetch(addressOf(path, input), { method, headers, body, signal, credentials: 'same-origin' })
    noteAnswer(response)
    return response
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    noteSilence(() => void fetch(addressOf('/me'), { credentials: 'same-origin' }).then(noteAnswer, () => {}))
    throw new ApiError(
      0,
      'Unreachable',
      gatewayText('The gateway does not answer. Check that it runs, then try again.'),
    )
  }
}
