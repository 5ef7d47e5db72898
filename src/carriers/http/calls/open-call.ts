/**
 * Opens webhook calls of a generic HTTP carrier. Every call must carry the proof that the settings ask for; whatever
 * they contain, no call fails.
 */
import type { WebhookAnswer, WebhookHead, WebhookRequest } from '../../../ports/carriers/carrier.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import { hasTooManyMembers, MAX_MEMBERS } from '../../../wire/json.ts'
import { type AnsweredCall, answerCall, isSameSecret } from '../../shared/webhook.ts'
import { SeenCalls } from '../proof/freshness.ts'
import { type Get, Notifications } from '../proof/notification.ts'
import { checkCallSignature, hasSignature } from '../proof/signature.ts'
import { checkToken, hasToken } from '../proof/token.ts'
import { type ItemPlaces, itemsOf, MAX_ITEMS } from './call-items.ts'
import type { CallSettings } from './call-settings.ts'
import { answerChallenge } from './challenge.ts'
import { ReceivedCall } from './received-call.ts'

const NO_BODY = new Uint8Array()
const NOT_AUTHORIZED = answerCall(401, 'not authorized')
const CAME_BEFORE: WebhookAnswer = { status: 401, body: 'this call came before' }

/** Items as the carrier wrote them. */
interface OpenedCall {
  readonly kind: 'items'
  /** By reader; empty for a reader that the call is not for. */
  readonly items: readonly (readonly unknown[])[]
  readonly once: Once | null
}

/** A call whose repeats are refused. */
interface Once {
  readonly id: string
  /** How long it may be repeated. */
  readonly seconds: number
}

/** What a proof says about a call. */
interface Proof {
  /** Null if repeats are not refused. */
  readonly once: Once | null
  /** What the items are read from in place of the body; null if they are in the body. */
  readonly content: { readonly json: unknown } | null
}

const PROVEN: Proof = { once: null, content: null }

interface Around {
  /** Where the webhook is, as the carrier knows it. */
  readonly address: string
  readonly clock: Clock
  /** For certificates and subscriptions. */
  readonly get: Get
}

/** Finds items in calls and records them. */
export interface CallReader {
  readonly settings: ItemPlaces & Pick<CallSettings, 'charset'>
  /** Returns the answer to the call. */
  readonly take: (items: readonly unknown[]) => Promise<WebhookAnswer>
}

/** The calls to one webhook. */
export class HttpCalls {
  readonly #settings: CallSettings
  readonly #address: string
  readonly #clock: Clock
  readonly #readers: readonly CallReader[]
  readonly #seen: SeenCalls
  /** Null for other proofs. */
  readonly #notifications: Notifications | null

  /** @param readers the first one's answer is that to the call, if all have recorded their items. */
  constructor(settings: CallSettings, { address, clock, get }: Around, readers: readonly CallReader[]) {
    this.#settings = settings
    this.#address = address
    this.#clock = clock
    this.#readers = readers
    this.#seen = new SeenCalls(clock)
    this.#notifications = settings.auth.kind === 'sns' ? new Notifications(settings.auth, clock, get) : null
  }

  /** Checks what the address and the headers prove. */
  refuse(head: WebhookHead): WebhookAnswer | null {
    const { auth, method } = this.#settings
    if (!this.#isKnown(head)) {
      return auth.kind === 'token' ? { status: 404, body: 'not found' } : NOT_AUTHORIZED.answer
    }
    return head.method === method ? null : { status: 405, body: `use ${method}` }
  }

  async answer(request: WebhookRequest): Promise<WebhookAnswer> {
    const call = await this.#open(request)
    if (call.kind === 'answer') return call.answer
    return call.once === null ? this.#take(call) : this.#takeOnce(call, call.once)
  }

  async #takeOnce(call: OpenedCall, { id, seconds }: Once): Promise<WebhookAnswer> {
    const begun = this.#seen.begin(id)
    if (begun === 'seen') return CAME_BEFORE
    // If that one is not recorded, the carrier has to repeat this one.
    if (begun === 'current') return { status: 503, body: 'this call is being recorded' }
    const given = await this.#take(call)
    this.#seen.end(id, seconds, !isRefusal(given))
    return given
  }

  /** No reader rejects. */
  async #take({ items }: OpenedCall): Promise<WebhookAnswer> {
    const answers = await Promise.all(this.#readers.map(({ take }, index) => take(items[index] ?? [])))
    // A call that was not acknowledged comes again.
    const [given] = answers.toSorted((one, other) => Number(isRefusal(other)) - Number(isRefusal(one)))
    if (given === undefined || isRefusal(given)) return given ?? { status: 404, body: 'not found' }
    return answerChallenge(items.flat(), this.#settings.challenge) ?? given
  }

  async #open(request: WebhookRequest): Promise<AnsweredCall | OpenedCall> {
    const refusal = this.refuse(request)
    if (refusal !== null) return { kind: 'answer', answer: refusal }
    const call = new ReceivedCall(request, request.body, this.#settings, this.#address)
    const proof = await this.#prove(call)
    if (proof === null) return NOT_AUTHORIZED
    if ('status' in proof) return { kind: 'answer', answer: proof }
    const { format } = this.#settings
    if (format === 'json' && hasTooManyMembers(Buffer.from(request.body).toString())) {
      return answerCall(413, `more than ${MAX_MEMBERS} members and elements`)
    }
    const items = this.#readers.map(({ settings }) => {
      // What the proof has read is not read again.
      const isSame = settings.format === format && settings.charset === this.#settings.charset
      const reading = isSame ? call : new ReceivedCall(request, request.body, settings, this.#address)
      return itemsOf(reading, proof.content, settings)
    })
    if (items.every((found) => found === null)) return answerCall(400, `not ${format}`)
    if (items.some((found) => found !== null && found.length > MAX_ITEMS)) {
      return answerCall(413, `more than ${MAX_ITEMS} items`)
    }
    return { kind: 'items', items: items.map((found) => found ?? []), once: proof.once }
  }

  #isKnown(head: WebhookHead): boolean {
    const { auth } = this.#settings
    switch (auth.kind) {
      case 'token':
        return isSameSecret(head.path.split('?', 1)[0]?.replace(/^\//, ''), auth.token)
      case 'header':
        return isSameSecret(head.headers[auth.name], auth.value)
      case 'signature':
        return hasSignature(this.#headOf(head), auth, this.#clock.now())
      case 'jwt':
        return hasToken(this.#headOf(head), auth)
      case 'sns':
        return true
    }
  }

  #headOf(head: WebhookHead): ReceivedCall {
    return new ReceivedCall(head, NO_BODY, this.#settings, this.#address)
  }

  /** Returns null for a call that is not signed as the settings say, and an answer to one without items. */
  async #prove(call: ReceivedCall): Promise<Proof | WebhookAnswer | null> {
    const { auth } = this.#settings
    const now = this.#clock.now()
    if (auth.kind === 'signature') {
      const id = checkCallSignature(call, auth, now)
      return id === null ? null : { once: auth.once ? { id, seconds: auth.maxAgeSeconds } : null, content: null }
    }
    if (auth.kind === 'jwt') {
      const token = await checkToken(call, auth, now)
      if (token === null) return null
      return { once: auth.once ? token : null, content: auth.read === 'claims' ? { json: token.claims } : null }
    }
    return this.#notifications === null ? PROVEN : this.#openNotification(call, this.#notifications)
  }

  async #openNotification(call: ReceivedCall, notifications: Notifications): Promise<Proof | WebhookAnswer | null> {
    const opened = await notifications.open(call.json())
    switch (opened.kind) {
      case 'message':
        return { once: null, content: { json: opened.content } }
      case 'confirmed':
        return { status: 200, body: '' }
      case 'later':
        return { status: 503, body: 'no answer from Amazon SNS' }
      case 'refused':
        return null
    }
  }
}

function isRefusal({ status }: WebhookAnswer): boolean {
  return status >= 300
}
