/**
 * The API for login servers, at `/logins/{server}/{login}`: sends a code that the server made over the channels of the
 * login. A server that repeats its request within minutes, because it waited too long, sends the code once.
 */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { VERIFY_DEFAULTS } from '../../contract/operations/verify-fields.ts'
import { VERIFY_LANGUAGES, type VerifyLanguage } from '../../contract/operations/verify-texts.ts'
import { codeOf } from '../../contract/request/error-codes.ts'
import { bodyTooLarge, notOneOf, REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { readJson, readText } from '../../contract/request/read-json.ts'
import { Refused } from '../../contract/request/refused.ts'
import type { Login } from '../../domain/accounts/login.ts'
import type { TrafficClass } from '../../domain/message/traffic-class.ts'
import { readPhone } from '../../domain/numbers/phone.ts'
import { isEncoded } from '../../http/server/body.ts'
import type { HttpRoute } from '../../http/server/server.ts'
import type { LoginAccess, LoginRefusal } from '../../operations/request/logins.ts'
import { type ApiAnswer, ApiPath, type ApiTools, type Arrived, splitTarget } from '../shared/api-path.ts'
import { readAnswer } from '../translate/ask.ts'
import { textSend } from '../translate/text-send.ts'
import { LOGIN_SERVERS, type LoginServer, passwordIn } from './login-servers.ts'
import type { CodeMessage } from './read-code.ts'
import { type Fault, writeStatus } from './write-answers.ts'

const LOGINS_PREFIX = '/logins/'
/** Supabase sends the whole user with each code. */
const BODY_BYTES = 256 * 1024
/** How long each channel is tried before the next one, as in verifications, seconds. */
const STEP_SECONDS = 60
/** Repeats within this time send nothing. A code that is the same later is another one. */
const REPEAT_SECONDS = 300

export function createLoginsApi(tools: ApiTools): readonly HttpRoute[] {
  const fail = (request: IncomingMessage, text: string) => {
    const write = findServer(request.url ?? '')?.server.write ?? writeStatus
    return write(faultOf(text))
  }
  const form = {
    path: LOGINS_PREFIX,
    methods: ['POST'],
    maxBytes: BODY_BYTES,
    copiesBody: true,
    refuse: (request: IncomingMessage, target: string) => refuse(request, target),
    fail: (why: 'busy' | 'too large', request: IncomingMessage) =>
      fail(request, why === 'busy' ? REQUEST_ERRORS.unavailable : bodyTooLarge(BODY_BYTES)),
    answer: (arrived: Arrived) => answer(tools, arrived),
  }
  return [new ApiPath(form, tools)]
}

interface Found {
  readonly server: LoginServer
  readonly name: string
  /** As the address says; empty if it does not. */
  readonly language: string
}

const NO_SUCH_SERVER: Fault = {
  code: 'not_found',
  detail: `There is no such login server; there are ${[...LOGIN_SERVERS.keys()].join(', ')}`,
}

function findServer(target: string): Found | null {
  const [path, query] = splitTarget(target)
  const [, which = '', name = ''] = /^\/logins\/([a-z0-9]+)\/([^/]+)$/.exec(path) ?? []
  const server = LOGIN_SERVERS.get(which)
  if (server === undefined) return null
  return { server, name: decodeName(name), language: new URLSearchParams(query).get('language') ?? '' }
}

function refuse(request: IncomingMessage, target: string): ApiAnswer | null {
  const found = findServer(target)
  if (found === null) return writeStatus(NO_SUCH_SERVER)
  const { server, language } = found
  if (isEncoded(request)) return server.write(faultOf(REQUEST_ERRORS.compressed))
  return language === '' || isLanguage(language) ? null : writeStatus(faultOf(notOneOf('language', VERIFY_LANGUAGES)))
}

async function answer(tools: ApiTools, arrived: Arrived): Promise<ApiAnswer> {
  const found = findServer(arrived.target)
  if (found === null) return writeStatus(NO_SUCH_SERVER)
  const { server } = found
  const opened = openLogin(tools, arrived, found)
  if (opened === 'wait')
    return server.write({ code: 'rate_limited', detail: 'Too many wrong passwords, try again later' })
  if (typeof opened === 'string') return server.write(faultOf(REQUEST_ERRORS.accessDenied))
  const message = readMessage(arrived.body, found)
  return server.write(typeof message === 'string' ? faultOf(message) : await send(tools, opened, message))
}

/** A login with a signing key is opened by signatures alone, if the server can sign. */
function openLogin(
  { logins, addresses, clock }: ApiTools,
  { request, body, origin }: Arrived,
  { server, name }: Found,
): LoginAccess | LoginRefusal {
  const { isSigned, sendsPassword } = server
  const address = addresses.of(origin)
  const header = (key: string) => request.headers[key]?.toString() ?? ''
  const login: Login | null = logins.find(name)
  const key = login?.secrets.signingKey ?? null
  if (isSigned !== undefined && login !== null && key !== null) {
    return isSigned({ body, header, now: clock.now() }, key) ? logins.openProven(login, address) : 'denied'
  }
  const password = sendsPassword ? passwordIn(header('authorization'), name) : null
  return password === null ? 'denied' : logins.open(name, password, address)
}

function readMessage(body: Buffer, { server, language }: Found): CodeMessage | string {
  try {
    return server.read(readJson(readText(body)), isLanguage(language) ? language : null)
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

/** Returns why the code is not sent; null if it is, or was. */
async function send(
  { runFor, limits }: ApiTools,
  who: LoginAccess,
  { phone, text, code, sender }: CodeMessage,
): Promise<Fault | null> {
  const { type, sender: usual, priority } = who.login
  const lifetimes = {
    next: Math.max(STEP_SECONDS, limits.lifetimeMinSeconds),
    last: Math.max(VERIFY_DEFAULTS.lifetime, limits.lifetimeMinSeconds),
  }
  const operation = textSend({ type, phone, sender: sender ?? usual, text }, lifetimes)
  const once = hash('sha256', `${readPhone(phone) ?? phone}\n${code}`)
  const how = { idempotencyKey: `code ${once}`, repeatSeconds: REPEAT_SECONDS, ...(isCode(text, priority) ? CODE : {}) }
  const { error, results } = readAnswer(await runFor(who, [operation], how))
  // The code is on its way, in other words.
  if (error === REQUEST_ERRORS.idempotencyConflict) return null
  const [result] = results
  if (error !== null || result === undefined) return faultOf(error ?? REQUEST_ERRORS.internal)
  return result.success ? null : faultOf(result.error)
}

const CODE = { sendsCodes: true } as const
/** 4 to 10 digits, also in groups: `123 456`, `G-482913`. */
const DIGITS = /(?<!\d)\d(?:[ -]?\d){3,9}(?!\d)/

/** Any other text is a notice, which waits in quiet hours; so is every text of a login without that priority. */
function isCode(text: string, priority: TrafficClass | null): boolean {
  return (priority ?? 'otp') === 'otp' && DIGITS.test(text)
}

function faultOf(detail: string): Fault {
  return { code: codeOf(detail), detail }
}

function isLanguage(text: string): text is VerifyLanguage {
  return VERIFY_LANGUAGES.some((language) => language === text)
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
