/**
 * A simulated Google RCS for Business on loopback: the token endpoint, agent messages and signed events. Refuses what
 * the real service refuses and ignores repeated message ids; the phone decides what happens to a message.
 */
import { createHmac, generateKeyPair, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'
import { promisify } from 'node:util'
import { jwtVerify } from 'jose'
import type { Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import { asText, parseJsonObject } from '../../wire/json.ts'
import { BoundedMap } from '../phones/bounded-map.ts'
import { type PlannedReceipt, scriptOf } from '../phones/phones.ts'
import type { PhoneTraffic, ShownSuggestion } from '../phones/traffic.ts'
import type { DoubleAnswer, DoubleRequest } from '../server/http-double.ts'
import { type Playback, ReceiptPlayer, type WebhookCall } from '../server/receipt-player.ts'
import { startWebhookDouble, type WebhookDouble } from '../server/webhook-double.ts'
import type { PhoneText } from '../smpp/phone-text.ts'
import { type AgentMessage, checkAgentMessage, FEATURES, featuresIn } from './check-agent-message.ts'

export interface RbmDoubleOptions {
  readonly clock: Clock
  readonly random: Random
  readonly traffic: PhoneTraffic
  /** A free port if absent. */
  readonly port?: number
}

export interface RbmDouble extends WebhookDouble {
  /** As in Google's key file, with the simulator's token endpoint. */
  readonly serviceAccount: { readonly client_email: string; readonly private_key: string; readonly token_uri: string }
  readonly clientToken: string
  /** A recipient writes to an agent, or taps a suggestion of it. Resolves when the webhook has answered. */
  write(text: PhoneText, tapped?: ShownSuggestion): Promise<void>
  /** Invalidates every token issued so far. */
  forgetTokens(): void
  /** Tokens issued so far. */
  tokensIssued(): number
  /** Capability requests of single phones so far. */
  capabilityRequests(): number
  /** Number of phones in each batch so far. */
  readonly batches: readonly number[]
  /** The regional host that each batch came to, null for the global one. */
  readonly batchRegions: readonly (string | null)[]
  /** The regional hosts: each takes batches with phones of its region only. */
  readonly regionalUrls: Readonly<Record<'us' | 'europe' | 'asia', string>>
  /** Answers batches with this error from now on. */
  refuseBatches(status: number): void
  /** The agent is not launched: batches find no reachable phone for it. */
  unlaunch(agentId: string): void
  /** From now on devices support these features only. */
  setFeatures(features: readonly string[]): void
  /** The agent may not send from now on. */
  forbid(agentId: string): void
}

/** One for the process: making it takes longer than starting the simulator. */
let keys: Promise<KeyPairKeyObjectResult> | null = null

export async function startRbmDouble(options: RbmDoubleOptions): Promise<RbmDouble> {
  keys ??= promisify(generateKeyPair)('rsa', { modulusLength: 2_048 })
  const { privateKey, publicKey } = await keys
  const google = new Google(options, publicKey)
  const answer = (request: DoubleRequest) => google.answer(request, double.address)
  const double: WebhookDouble = await startWebhookDouble(answer, google.player, options.port)
  return {
    ...double,
    serviceAccount: {
      client_email: CLIENT_EMAIL,
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      token_uri: `${double.address}/token`,
    },
    clientToken: google.clientToken,
    write: (...written) => google.write(...written),
    forgetTokens: () => google.forgetTokens(),
    tokensIssued: () => google.tokensIssued,
    capabilityRequests: () => google.capabilityRequests,
    batches: google.batches,
    batchRegions: google.batchRegions,
    regionalUrls: {
      us: `${double.address}/us`,
      europe: `${double.address}/europe`,
      asia: `${double.address}/asia`,
    },
    refuseBatches: (status) => {
      google.batchRefusal = status
    },
    unlaunch: (agentId) => void google.unlaunched.add(agentId),
    setFeatures: (features) => {
      google.features = new Set(features)
    },
    forbid: (agentId) => void google.forbidden.add(agentId),
  }
}

const CLIENT_EMAIL = 'posthorn@simulator.invalid'
const SCOPE = 'https://www.googleapis.com/auth/rcsbusinessmessaging'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const TOKEN_SECONDS = 3_599
/** Limit of one batch. */
const MAX_USERS = 10_000
const DEFAULT_TTL_SECONDS = 15 * 86_400

/** Of calling codes that tests use; Google has a list of its own. */
const REGION_CODES = { us: ['1', '52', '55'], asia: ['60', '62', '81', '91', '92', '998'] }

function regionOfCode(user: string): string {
  const isIn = (codes: readonly string[]) => codes.some((code) => user.startsWith(`+${code}`))
  if (isIn(REGION_CODES.us)) return 'us'
  return isIn(REGION_CODES.asia) ? 'asia' : 'europe'
}

class Google {
  readonly clientToken: string
  readonly player: ReceiptPlayer
  /** Agents that may not send. */
  readonly forbidden = new Set<string>()
  tokensIssued = 0
  capabilityRequests = 0
  /** What devices support. */
  features: ReadonlySet<string> = new Set(Object.values(FEATURES))
  readonly unlaunched = new Set<string>()
  readonly batches: number[] = []
  readonly batchRegions: (string | null)[] = []
  batchRefusal: number | null = null
  readonly #clock: Clock
  readonly #random: Random
  readonly #traffic: PhoneTraffic
  readonly #publicKey: KeyObject
  /** Token → when it expires. */
  #tokens = new BoundedMap<string, number>(1_000)
  readonly #taken = new BoundedMap<string, Playback>()
  readonly #seen = new BoundedMap<string, true>()

  constructor({ clock, random, traffic }: RbmDoubleOptions, publicKey: KeyObject) {
    this.#clock = clock
    this.#random = random
    this.#traffic = traffic
    this.#publicKey = publicKey
    this.clientToken = this.#secret()
    this.player = new ReceiptPlayer(clock)
  }

  forgetTokens(): void {
    this.#tokens = new BoundedMap(1_000)
  }

  write({ from, to, text }: PhoneText, tapped?: ShownSuggestion): Promise<void> {
    const said = tapped === undefined ? { text } : { suggestionResponse: toResponse(tapped) }
    const event = { senderPhoneNumber: `+${from}`, agentId: to, messageId: this.#secret(), ...said }
    return this.player.play({
      receipts: [{ outcome: 'delivered', afterMs: 0 }],
      lateDeliveryMs: null,
      write: () => this.#sign(event),
    }).firstAnswer
  }

  async answer(request: DoubleRequest, address: string): Promise<DoubleAnswer | 'hold'> {
    if (request.path === '/token') return this.#issueToken(request, `${address}/token`)
    const [, region, isBatch] = /^(?:\/(us|europe|asia))?(\/v1\/users:batchGet)$/.exec(request.path) ?? []
    const [, phone, what, messageId] =
      /^\/v1\/phones\/\+(\d{7,15})\/(agentMessages|capabilities)(?:\/([^/]+))?$/.exec(request.path) ?? []
    if (phone === undefined && isBatch === undefined) return problem(404, 'NOT_FOUND', 'no such resource')
    const endsAt = this.#tokens.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '')
    if (endsAt === undefined || this.#clock.now() >= endsAt) {
      return problem(401, 'UNAUTHENTICATED', 'the request has invalid authentication credentials')
    }
    if (phone === undefined) return this.#answerBatch(request, region ?? null)
    const agentId = request.query.get('agentId')
    if (!agentId) return problem(400, 'INVALID_ARGUMENT', 'agentId is missing')
    if (this.forbidden.has(agentId)) return problem(403, 'PERMISSION_DENIED', 'the agent may not send')
    if (what === 'capabilities') return this.#answerCapabilities(phone, request)
    if (request.method === 'POST' && messageId === undefined) return this.#take(phone, request)
    if (request.method === 'DELETE' && messageId !== undefined) {
      this.#taken.get(messageId)?.cancel()
      return { status: 200, body: '{}' }
    }
    return problem(405, 'UNIMPLEMENTED', 'no such method')
  }

  #answerCapabilities(phone: string, { method, query }: DoubleRequest): DoubleAnswer {
    if (method !== 'GET') return problem(405, 'UNIMPLEMENTED', 'no such method')
    if (!query.get('requestId')) return problem(400, 'INVALID_ARGUMENT', 'requestId is missing')
    this.capabilityRequests += 1
    return scriptOf(phone).rcs.reachable
      ? { status: 200, body: JSON.stringify({ features: [...this.features] }) }
      : problem(404, 'NOT_FOUND', 'the user is not reachable by RCS')
  }

  /** Answers a batch: no features, and no list if no phone is reachable. Without a region it serves any one. */
  #answerBatch({ method, body }: DoubleRequest, region: string | null): DoubleAnswer {
    if (method !== 'POST') return problem(405, 'UNIMPLEMENTED', 'no such method')
    const { users, agentId } = parseJsonObject(body) ?? {}
    if (typeof agentId !== 'string' || agentId === '') return problem(400, 'INVALID_ARGUMENT', 'agentId is missing')
    const phones = Array.isArray(users) ? users.map(asText) : []
    const isGood = phones.length > 0 && phones.length <= MAX_USERS && phones.every((user) => /^\+\d{7,15}$/.test(user))
    if (!isGood) return problem(400, 'INVALID_ARGUMENT', 'users are not valid')
    const regions = new Set(phones.map((user) => regionOfCode(user)))
    if (regions.size > 1 || (region !== null && !regions.has(region))) {
      return problem(400, 'INVALID_ARGUMENT', 'users are of another region')
    }
    this.batches.push(phones.length)
    this.batchRegions.push(region)
    if (this.batchRefusal !== null) return problem(this.batchRefusal, 'RESOURCE_EXHAUSTED', 'quota exceeded')
    const isKnown = (user: string) => !this.unlaunched.has(agentId) && scriptOf(user.slice(1)).rcs.reachable
    const reachableUsers = phones.filter(isKnown)
    return { status: 200, body: JSON.stringify(reachableUsers.length === 0 ? {} : { reachableUsers }) }
  }

  /** RFC 7523 section 3: checks every claim of the assertion. */
  async #issueToken({ method, body }: DoubleRequest, audience: string): Promise<DoubleAnswer> {
    const form = new URLSearchParams(body)
    if (method !== 'POST' || form.get('grant_type') !== GRANT) {
      return { status: 400, body: '{"error":"unsupported_grant_type"}' }
    }
    try {
      const currentDate = new Date(this.#clock.now())
      const { payload } = await jwtVerify(form.get('assertion') ?? '', this.#publicKey, {
        algorithms: ['RS256'],
        audience,
        issuer: CLIENT_EMAIL,
        currentDate,
        maxTokenAge: '1h',
      })
      if (payload['scope'] !== SCOPE) return { status: 400, body: '{"error":"invalid_scope"}' }
    } catch {
      return { status: 400, body: '{"error":"invalid_grant"}' }
    }
    this.tokensIssued += 1
    const token = this.#secret()
    this.#tokens.set(token, this.#clock.now() + TOKEN_SECONDS * 1000)
    const answer = { access_token: token, expires_in: TOKEN_SECONDS, token_type: 'Bearer' }
    return { status: 200, body: JSON.stringify(answer) }
  }

  async #take(phone: string, request: DoubleRequest): Promise<DoubleAnswer | 'hold'> {
    const messageId = request.query.get('messageId') ?? ''
    if (!/^[\w-]{1,64}$/.test(messageId)) return problem(400, 'INVALID_ARGUMENT', 'messageId is not valid')
    const message = checkAgentMessage(request.body)
    if (typeof message === 'string') return problem(400, 'INVALID_ARGUMENT', message)
    if (!featuresIn(request.body).isSubsetOf(this.features)) {
      return problem(400, 'INVALID_ARGUMENT', 'the device does not support the content')
    }
    const agentId = request.query.get('agentId') ?? ''
    const script = scriptOf(phone).rcs
    if (!script.reachable) return problem(404, 'NOT_FOUND', 'the user is not reachable by RCS')
    const taken = { status: 200, body: JSON.stringify({ name: `phones/+${phone}/agentMessages/${messageId}` }) }
    if (this.#taken.has(messageId)) return taken
    if (script.firstAnswer !== 'taken' && !this.#seen.has(messageId)) {
      this.#seen.set(messageId, true)
      return script.firstAnswer === 'silent'
        ? 'hold'
        : { ...problem(429, 'RESOURCE_EXHAUSTED', 'quota exceeded'), headers: { 'retry-after': '1' } }
    }
    const { ttlSeconds: _, ...shown } = message
    this.#traffic.add({ channel: 'rcs', phone, sender: agentId, ...shown, ref: messageId })
    const playback = this.#play(phone, agentId, messageId, message)
    if (script.receiptsFirst) await playback.firstAnswer
    return taken
  }

  #play(phone: string, agentId: string, messageId: string, { ttlSeconds }: AgentMessage): Playback {
    const { receipts, deliveredAfterLifetimeMs } = scriptOf(phone).rcs
    const lifeMs = (ttlSeconds ?? DEFAULT_TTL_SECONDS) * 1000
    const playback = this.player.play({
      receipts,
      lateDeliveryMs: deliveredAfterLifetimeMs === null ? null : lifeMs + deliveredAfterLifetimeMs,
      write: (outcome) =>
        this.#sign(writeEvent(outcome, { phone: `+${phone}`, agentId, messageId, eventId: this.#secret() })),
    })
    this.#taken.set(messageId, playback)
    return playback
  }

  #sign(event: object): WebhookCall {
    const bytes = Buffer.from(JSON.stringify({ ...event, sendTime: new Date(this.#clock.now()).toISOString() }))
    const signature = createHmac('sha512', this.clientToken).update(bytes).digest('base64')
    return {
      headers: { 'content-type': 'application/json', 'x-goog-signature': signature },
      body: JSON.stringify({ message: { data: bytes.toString('base64') } }),
    }
  }

  #secret(): string {
    return Buffer.from(this.#random.bytes(24)).toString('base64url')
  }
}

interface EventAbout {
  readonly phone: string
  readonly agentId: string
  readonly messageId: string
  readonly eventId: string
}

/** Events of the recipient's phone are user events; Google's own are server events. */
function writeEvent(outcome: PlannedReceipt['outcome'], { phone, ...about }: EventAbout): object {
  return outcome === 'delivered' || outcome === 'read'
    ? { senderPhoneNumber: phone, eventType: outcome.toUpperCase(), ...about }
    : { phoneNumber: phone, eventType: 'TTL_EXPIRATION_REVOKED', ...about }
}

function toResponse({ kind, text, postback }: ShownSuggestion): object {
  return { text, postbackData: postback, type: kind.toUpperCase() }
}

function problem(code: number, status: string, message: string): DoubleAnswer {
  return { status: code, body: JSON.stringify({ error: { code, message, status } }) }
}
