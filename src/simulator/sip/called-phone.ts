/**
 * The phones that flash calls ring, behind one SIP address on UDP and TCP or TLS: a user agent server that plays the
 * table in phones.ts. Invalid bytes do not stop it; the number of concurrent calls is limited, and the oldest go first.
 */
import type { Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import { type Credentials, type DigestAlgorithm, provesCredentials } from '../../wire/sip/digest.ts'
import { answerTo, branchOf, callIdOf, cseqOf, headerOf, uriOf, userOf } from '../../wire/sip/headers.ts'
import type { SipHeader, SipMessage, SipRequest, SipResponse } from '../../wire/sip/message.ts'
import { listenSip, type SipPath, type TlsIdentity } from '../../wire/sip/transport.ts'
import { type PhoneScript, scriptOf } from '../phones/phones.ts'
import type { PhoneTraffic } from '../phones/traffic.ts'
import { CalledLeg, type CallScript } from './called-leg.ts'

export interface CalledPhoneOptions {
  readonly clock: Clock
  readonly random: Random
  readonly traffic: PhoneTraffic
  /** Port of UDP and TCP on loopback; a free one if absent. */
  readonly port?: number
  /** With it the phones use TLS instead of TCP. */
  readonly identity?: TlsIdentity
  /** Calls must prove them by digest; `status` 401 as a server challenges, 407 as a proxy does. */
  readonly credentials?: Credentials & { readonly status?: 401 | 407; readonly algorithm?: DigestAlgorithm }
  /** Replaces the table: what a phone (digits) does. */
  readonly script?: (phone: string) => CallScript
  /** Receives every message that is received or sent. */
  readonly watch?: (direction: 'in' | 'out', message: SipMessage, path: SipPath) => void
}

export interface CalledPhone {
  readonly port: number
  stop(): Promise<void>
}

const MAX_LEGS = 10_000
const REALM = 'posthorn.invalid'

/** Rejects if the port is taken. */
export async function startCalledPhone(options: CalledPhoneOptions): Promise<CalledPhone> {
  const server = new PhoneServer(options)
  const address = { host: '127.0.0.1', port: options.port ?? 0 }
  const take = (message: SipMessage, path: SipPath) => server.take(message, path)
  const listener = await listenSip(address, take, options.identity)
  server.port = listener.port
  return {
    port: listener.port,
    async stop() {
      server.clear()
      await listener.close()
    },
  }
}

/** Returns the script of the table for a call to the phone. */
function tableScript(call: PhoneScript['call']): CallScript {
  switch (call) {
    case 'rings':
      return { does: 'ring' }
    case 'operator not supported':
      return { does: 'refuse', status: 403, reason: 'Forbidden' }
    case 'fails':
      return { does: 'refuse', status: 404, reason: 'Not Found' }
  }
}

class PhoneServer {
  port = 0
  readonly #options: CalledPhoneOptions
  /** By Call-ID. */
  readonly #legs = new Map<string, CalledLeg>()
  readonly #nonce: string

  constructor(options: CalledPhoneOptions) {
    this.#options = options
    this.#nonce = this.#hex(16)
  }

  take(message: SipMessage, path: SipPath): void {
    this.#options.watch?.('in', message, path)
    const callId = callIdOf(message)
    const cseq = cseqOf(message)
    if (message.kind === 'response' || callId === null || cseq === null || branchOf(message) === null) return
    if (message.method === 'INVITE') this.#invited(message, callId, cseq.number, path)
    else this.#takeOther(message, callId, path)
  }

  clear(): void {
    for (const leg of [...this.#legs.values()]) leg.end()
  }

  #invited(invite: SipRequest, callId: string, cseq: number, path: SipPath): void {
    const phone = (userOf(invite.uri) ?? '').replace(/\D/g, '')
    const before = this.#legs.get(callId)
    const leg = before !== undefined && before.cseq >= cseq ? before : this.#open(invite, callId, phone, path)
    if (leg.cseq > cseq || leg.loses('INVITE')) return
    if (this.#proves(invite)) leg.invited()
    else this.#challenge(leg)
  }

  #takeOther(request: SipRequest, callId: string, path: SipPath): void {
    const leg = this.#legs.get(callId)
    if (leg?.loses(request.method)) return
    if (request.method === 'ACK') leg?.acknowledged()
    else if (request.method === 'OPTIONS') this.#send(answerTo(request, 200, 'OK', this.#hex(4)), path)
    else if (leg !== undefined && request.method === 'CANCEL') leg.cancelled(request, path)
    else if (leg !== undefined && request.method === 'BYE') leg.left(request, path)
    else this.#send(answerTo(request, 481, 'Call/Transaction Does Not Exist', this.#hex(4)), path)
  }

  #open(invite: SipRequest, callId: string, phone: string, path: SipPath): CalledLeg {
    const { clock, traffic, script } = this.#options
    const text = (userOf(uriOf(headerOf(invite, 'From') ?? '') ?? '') ?? '').replace(/\D/g, '')
    this.#legs.get(callId)?.end()
    const [oldest] = this.#legs.values()
    if (this.#legs.size >= MAX_LEGS) oldest?.end()
    const played = script === undefined ? tableScript(scriptOf(phone).call) : script(phone)
    const contact: SipHeader = ['Contact', `<sip:+${phone}@127.0.0.1:${this.port}>`]
    const leg: CalledLeg = new CalledLeg(invite, path, this.#hex(4), contact, played, {
      clock,
      send: (answer, over) => this.#send(answer, over),
      onRinging: () => traffic.add({ channel: 'call', phone, sender: '', text, ref: callId }),
      onOver: () => this.#legs.get(callId) === leg && this.#legs.delete(callId),
    })
    this.#legs.set(callId, leg)
    return leg
  }

  #proves(invite: SipRequest): boolean {
    const { credentials } = this.#options
    if (credentials === undefined) return true
    const proof = headerOf(invite, credentials.status === 407 ? 'Proxy-Authorization' : 'Authorization') ?? ''
    const asked = { realm: REALM, nonce: this.#nonce, method: 'INVITE', algorithm: credentials.algorithm ?? 'MD5' }
    return provesCredentials(proof, credentials, asked)
  }

  #challenge(leg: CalledLeg): void {
    const { status = 401, algorithm = 'MD5' } = this.#options.credentials ?? {}
    const challenge = `Digest realm="${REALM}", nonce="${this.#nonce}", algorithm=${algorithm}, qop="auth"`
    if (status === 407) leg.refuse(407, 'Proxy Authentication Required', [['Proxy-Authenticate', challenge]])
    else leg.refuse(401, 'Unauthorized', [['WWW-Authenticate', challenge]])
  }

  #send(answer: SipResponse, path: SipPath): void {
    this.#options.watch?.('out', answer, path)
    path.send(answer)
  }

  #hex(bytes: number): string {
    return Buffer.from(this.#options.random.bytes(bytes)).toString('hex')
  }
}
