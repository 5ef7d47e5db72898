/** Registers our webhooks at a carrier whose API takes their addresses, when an operator asks for it. */
import Type, { type StaticDecode } from 'typebox'
import type { RegisteredWebhook } from '../../ports/carriers/carrier.ts'
import type { HttpResult } from '../../wire/http-client.ts'
import { WrongSetting } from '../shared/read-settings.ts'
import { group, listOf, parsed } from '../shared/setting-kinds.ts'
import type { CallbackAddresses } from './calls/callbacks.ts'
import { REQUEST, type RequestSettings } from './request-settings.ts'

const MAX_REQUESTS = 20

export const REGISTER = parsed(
  group(
    {
      known: Type.Optional(REQUEST),
      requests: listOf(REQUEST, MAX_REQUESTS, 'requests', 'The requests, one after the other.'),
    },
    'How `posthorn carrier register` registers the webhooks at the carrier. If the answer to `known` has their addresses already, nothing is sent.',
  ),
  (register) => {
    if (register.requests.length === 0) throw new WrongSetting('requests', 'should have at least one request')
    return register
  },
)

type RegisterSettings = StaticDecode<typeof REGISTER>

/** An answer that says that the carrier has it already. */
const CONFLICT = 409
const MAX_QUOTED = 200

interface Registration {
  readonly settings: RegisterSettings
  readonly callbacks: CallbackAddresses
  /** Hides the secrets of the carrier. */
  readonly hide: (text: string) => string
  /**
   * Sends a request, whose `{{uuid}}` is made from the name; returns null if it cannot be written. Must not reject.
   */
  readonly send: (request: RequestSettings, name: string) => Promise<HttpResult | null>
}

/** Sends the requests in turn, and no further ones after one without an answer. */
export async function registerWebhooks(registration: Registration): Promise<readonly RegisteredWebhook[]> {
  const { settings, callbacks, send } = registration
  const hide = (text: string) => registration.hide(withoutAddresses(text, callbacks))
  if (settings.known !== undefined) {
    const result = await send(settings.known, 'known')
    if (!isDone(result)) return [{ request: 'known', done: false, detail: describe(result, hide) }]
    if (hasAll(result, callbacks)) {
      return [{ request: 'known', done: true, detail: 'the webhooks are registered already' }]
    }
  }
  const registered: RegisteredWebhook[] = []
  for (const [index, request] of settings.requests.entries()) {
    const name = `requests.${index}`
    const result = await send(request, name)
    registered.push({ request: name, done: isDone(result) || isKnown(result), detail: describe(result, hide) })
    if (result?.kind === 'silent') break
  }
  return registered
}

function isDone(result: HttpResult | null): boolean {
  return result?.kind === 'answered' && result.status >= 200 && result.status < 300
}

function isKnown(result: HttpResult | null): boolean {
  return result?.kind === 'answered' && result.status === CONFLICT
}

function hasAll(result: HttpResult | null, { receipt, inbound }: CallbackAddresses): boolean {
  if (result?.kind !== 'answered') return false
  // JSON may escape slashes.
  const text = result.body.replaceAll('\\/', '/')
  return [receipt, inbound].every((address) => address === '' || text.includes(address))
}

function describe(result: HttpResult | null, hide: (text: string) => string): string {
  if (result === null) return 'the address of the request cannot be written'
  if (result.kind === 'silent') return `no answer: ${result.reason}`
  // Before it is cut: a part of a secret would not be found.
  const said = hide(result.body)
    .trim()
    .slice(0, MAX_QUOTED)
    .replace(/\p{C}+/gu, ' ')
    .toWellFormed()
  return said === '' || isDone(result) ? `HTTP ${result.status}` : `HTTP ${result.status}: ${said}`
}

/** The addresses may have tokens, which an answer may repeat. */
function withoutAddresses(text: string, { receipt, inbound }: CallbackAddresses): string {
  const named = [
    [inbound, '{{inboundCallback}}'],
    [receipt, '{{callback}}'],
  ] as const
  return named.reduce((hidden, [address, name]) => (address === '' ? hidden : hidden.replaceAll(address, name)), text)
}
