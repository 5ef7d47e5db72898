/**
 * Opens webhook calls of a generic HTTP carrier. Every call must carry the proof that the settings ask for; whatever
 * they contain, no call fails.
 */
import type { WebhookAnswer, WebhookHead, WebhookRequest } from '../../ports/carriers/carrier.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { hasTooManyMembers, MAX_MEMBERS } from '../../wire/json.ts'
import { type AnsweredCall, answer, isSameSecret } from '../shared/webhook.ts'
import type { CallSettings } from './call-settings.ts'
import { valueAt } from './find-text.ts'
import { SeenCalls } from './proof/freshness.ts'
import { checkSignature, hasSignature } from './proof/signature.ts'
import { ReceivedCall } from './received-call.ts'

/** Receipts or inbound messages in one call. */
const MAX_ITEMS = 1_000
const NO_BODY = new Uint8Array()
const NOT_AUTHORIZED = answer(401, 'not authorized')

/** Items as the carrier wrote them. */
interface OpenedCall {
  readonly kind: 'items'
  readonly items: readonly unknown[]
  /** Identifies repeats of the call; null if they are not refused. */
  readonly id: string | null
}

/** What a proof says about a call. */
interface Proof {
  readonly id: string | null
}

interface Around {
  /** Where the webhook is, as the carrier knows it. */
  readonly address: string
  readonly clock: Clock
}

/** Records items and returns the answer to the call. */
type Take = (items: readonly unknown[]) => Promise<WebhookAnswer>

/** The calls to one webhook. */
export class HttpCalls {
  readonly #settings: CallSettings
  readonly #address: string
  readonly #clock: Clock
  readonly #take: Take
  readonly #seen: SeenCalls

  constructor(settings: CallSettings, { address, clock }: Around, take: Take) {
    this.#settings = settings
    this.#address = address
    this.#clock = clock
    this.#take = take
    this.#seen = new SeenCalls(clock)
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
    const call = this.#open(request)
    if (call.kind === 'answer') return call.answer
    const given = await this.#take(call.items)
    // A call that was not acknowledged comes again.
    if (call.id !== null && given.status < 300) this.#seen.add(call.id, this.#maxAgeSeconds())
    return given
  }

  #open(request: WebhookRequest): AnsweredCall | OpenedCall {
    const refusal = this.refuse(request)
    if (refusal !== null) return { kind: 'answer', answer: refusal }
    const call = new ReceivedCall(request, request.body, this.#settings, this.#address)
    const proof = this.#prove(call)
    if (proof === null) return NOT_AUTHORIZED
    if (proof.id !== null && this.#seen.has(proof.id)) return answer(401, 'this call came before')
    const { format } = this.#settings
    if (format === 'json' && hasTooManyMembers(Buffer.from(request.body).toString())) {
      return answer(413, `more than ${MAX_MEMBERS} members and elements`)
    }
    const items = this.#readItems(call)
    if (items === null) return answer(400, `not ${format}`)
    if (items.length > MAX_ITEMS) return answer(413, `more than ${MAX_ITEMS} items`)
    return { kind: 'items', items, id: proof.id }
  }

  #isKnown(head: WebhookHead): boolean {
    const { auth } = this.#settings
    switch (auth.kind) {
      case 'token':
        return isSameSecret(head.path.split('?', 1)[0]?.replace(/^\//, ''), auth.token)
      case 'header':
        return isSameSecret(head.headers[auth.name], auth.value)
      case 'signature':
        return hasSignature(new ReceivedCall(head, NO_BODY, this.#settings, this.#address), auth, this.#clock.now())
    }
  }

  /** Returns null for a call that is not signed as the settings say. */
  #prove(call: ReceivedCall): Proof | null {
    const { auth } = this.#settings
    if (auth.kind !== 'signature') return { id: null }
    const id = checkSignature(call, auth, this.#clock.now())
    return id === null ? null : { id: auth.once ? id : null }
  }

  #maxAgeSeconds(): number {
    const { auth } = this.#settings
    return auth.kind === 'signature' ? auth.maxAgeSeconds : 0
  }

  /** Returns null if the body has another format. Of fields with the same name the last one counts. */
  #readItems(call: ReceivedCall): readonly unknown[] | null {
    const { format, list } = this.#settings
    if (format !== 'json') return [Object.fromEntries(call.form())]
    const json = call.json()
    if (typeof json !== 'object' || json === null) return null
    const found = list === null ? json : valueAt(json, list)
    return Array.isArray(found) ? found : [found]
  }
}
