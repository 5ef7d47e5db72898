/** An authenticator of passkeys in software: its answers are in the form in which browsers pass them on (WebAuthn). */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

interface Credential {
  readonly id: string
  readonly rpId: string
  readonly key: KeyObject
  counter: number
}

interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
}

interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
}

/** What a test changes in an answer. */
export interface Forgery {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly flags?: number
  readonly counter?: number
  readonly id?: string
  readonly attestation?: { readonly fmt: string; readonly attStmt: CborMap }
}

/** User present and verified. */
const PRESENT_AND_VERIFIED = 0x05
const HAS_CREDENTIAL = 0x40

export class SoftwareAuthenticator {
  readonly origin: string
  #made = 0
  #credential: Credential | null = null

  /** `origin` is that of the page. */
  constructor(origin: string) {
    this.origin = origin
  }

  /** What `navigator.credentials.create` returns, as `toJSON` writes it. */
  create({ challenge, rp }: CreationOptions, forgery: Forgery = {}): object {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#made += 1
    const id = createHash('sha256').update(`${this.#made} ${challenge}`).digest()
    this.#credential = { id: id.toString('base64url'), rpId: rp.id, key: privateKey, counter: 0 }
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const cose = cbor(
      new Map<number, CborValue>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
    const { flags = PRESENT_AND_VERIFIED, counter = 0, rpId = rp.id } = forgery
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const header = authenticatorData(rpId, flags | HAS_CREDENTIAL, counter)
    const authData = Buffer.concat([header, Buffer.alloc(16), length, id, cose])
    const { fmt, attStmt } = forgery.attestation ?? { fmt: 'none', attStmt: new Map() }
    const attestationObject = cbor(
      new Map<string, CborValue>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ]),
    )
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge, forgery).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
    })
  }

  /** What `navigator.credentials.get` returns, as `toJSON` writes it. */
  get({ challenge, rpId: asked }: RequestOptions, forgery: Forgery = {}): object {
    const credential = this.#credential
    if (credential === null) throw new Error('this authenticator has no passkey')
    credential.counter += 1
    const { flags = PRESENT_AND_VERIFIED, counter = credential.counter, rpId = asked } = forgery
    const authData = authenticatorData(rpId, flags, counter)
    const clientData = this.#clientData('webauthn.get', challenge, forgery)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    const answer = this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, credential.key).toString('base64url'),
    })
    return forgery.id === undefined ? answer : { ...answer, id: forgery.id, rawId: forgery.id }
  }

  #answer(response: object): object {
    const id = this.#credential?.id ?? ''
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }

  #clientData(type: string, challenge: string, forgery: Forgery): Buffer {
    const { origin = this.origin } = forgery
    return Buffer.from(JSON.stringify({ type, challenge: forgery.challenge ?? challenge, origin, crossOrigin: false }))
  }
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags)
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
}

type CborMap = ReadonlyMap<string | number, CborValue>
type CborValue = number | string | Buffer | CborMap | readonly CborValue[]

/** CBOR (RFC 8949) of what authenticators write; numbers to 65535. */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])])
  }
  const items = value as readonly CborValue[]
  return Buffer.concat([head(4, items.length), ...items.map(cbor)])
}

function head(major: number, value: number): Buffer {
  const type = major << 5
  if (value < 24) return Buffer.from([type | value])
  if (value < 256) return Buffer.from([type | 24, value])
  return Buffer.from([type | 25, value >> 8, value & 255])
}
