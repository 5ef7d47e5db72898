/**
 * What clients ask of the gateway: single channels, chains, long texts and calls, to phones that take them in every way
 * the simulator knows. Each operation has a client id and a phone of its own, and knows how it may end.
 */
import type { Random } from '../../src/ports/system/random.ts'
import type { MessageScript } from '../../src/simulator/phones/phones.ts'
import { scriptOf } from '../../src/simulator/phones/phones.ts'
import type { AccountName, TestAccount } from './installation.ts'

export interface Asked {
  readonly clientId: number
  readonly phone: string
  /** The statuses that it may have in the end. */
  readonly ends: readonly string[]
  readonly hook: string | null
  readonly item: object
}

/**
 * How a client makes sure: `key` repeats under an Idempotency-Key until it has an answer, `unique ids` repeats without
 * one, `hope` never repeats.
 */
type Certainty = 'key' | 'unique ids' | 'hope'

export interface ClientRequest {
  readonly account: TestAccount
  readonly path: string
  readonly certainty: Certainty
  /** Null unless the certainty is a key. */
  readonly key: string | null
  readonly asked: readonly Asked[]
  readonly body: string
}

interface Fate {
  readonly type: 'rcs' | 'chatapp' | 'sms' | 'rcs+chatapp+sms' | 'call/otp'
  /** Last two digits of the phone: the table of the simulator's phones. */
  readonly phone: string
  readonly ends: readonly string[]
  /** One second for the first step. */
  readonly isShort?: true
  readonly sms?: Partial<MessageScript>
  readonly parts?: number
}

const sms = (script: Partial<MessageScript>, ends: readonly string[], parts = 1): Fate => {
  return { type: 'rcs+chatapp+sms', phone: '02', ends, sms: script, parts }
}
const delivered = (...afterMs: readonly number[]): Partial<MessageScript> => ({
  receipts: afterMs.map((after) => ({ outcome: 'delivered', afterMs: after })),
})

const OF_ALL_CHANNELS: readonly Fate[] = [
  { type: 'rcs', phone: '20', ends: ['DELIVERED'] },
  { type: 'rcs', phone: '06', ends: ['READ'] },
  { type: 'rcs', phone: '10', ends: ['READ'] },
  { type: 'rcs', phone: '11', ends: ['DELIVERED'] },
  { type: 'rcs', phone: '01', ends: ['UNDELIVERABLE'] },
  { type: 'rcs', phone: '04', ends: ['EXPIRED'], isShort: true },
  { type: 'rcs', phone: '14', ends: ['EXPIRED', 'DELIVERED'], isShort: true },
  { type: 'chatapp', phone: '20', ends: ['DELIVERED'] },
  { type: 'chatapp', phone: '06', ends: ['READ'] },
  { type: 'chatapp', phone: '11', ends: ['DELIVERED'] },
  { type: 'chatapp', phone: '05', ends: ['EXPIRED'], isShort: true },
  { type: 'rcs+chatapp+sms', phone: '20', ends: ['DELIVERED'] },
  { type: 'rcs+chatapp+sms', phone: '01', ends: ['DELIVERED'] },
  { type: 'rcs+chatapp+sms', phone: '04', ends: ['DELIVERED'], isShort: true },
  { type: 'rcs+chatapp+sms', phone: '03', ends: ['UNDELIVERABLE'] },
  { type: 'rcs+chatapp+sms', phone: '09', ends: ['EXPIRED'] },
  sms(delivered(0), ['DELIVERED']),
  sms(delivered(0), ['DELIVERED']),
  sms(delivered(0), ['DELIVERED'], 2),
  sms(delivered(300), ['DELIVERED'], 3),
  sms(delivered(100, 200), ['DELIVERED']),
  sms({ ...delivered(0), receiptsFirst: true }, ['DELIVERED'], 4),
  sms({ ...delivered(0), receiptsFirst: true }, ['DELIVERED']),
  // A call is placed now or never: while a gateway starts, its trunk may be missing, or the result of a call unknown.
  { type: 'call/otp', phone: '20', ends: ['DELIVERED', 'EXPIRED', 'UNDELIVERABLE', 'UNKNOWN', 'NO ROUTE'] },
]

/** Only of the account that is in a hurry; the others would wait an hour. */
const HASTY_OF_ALL_CHANNELS: readonly Fate[] = [
  { type: 'rcs+chatapp+sms', phone: '05', ends: ['DELIVERED'], isShort: true },
  sms({ receipts: [] }, []),
]

const alone = (fate: Fate): Fate => ({ ...fate, type: 'sms' })

const SMS_ALONE: readonly Fate[] = [
  alone(sms(delivered(0), ['DELIVERED'])),
  alone(sms(delivered(500), ['DELIVERED'])),
  alone(sms(delivered(100), ['DELIVERED'], 2)),
  alone(sms(delivered(100, 200), ['DELIVERED'])),
  alone(sms({ ...delivered(0), receiptsFirst: true }, ['DELIVERED'], 3)),
  { type: 'sms', phone: '03', ends: ['UNDELIVERABLE'] },
  { type: 'sms', phone: '09', ends: ['EXPIRED'] },
]

const FATES = {
  'all channels': { any: OF_ALL_CHANNELS, hasty: [...OF_ALL_CHANNELS, ...HASTY_OF_ALL_CHANNELS] },
  sms: { any: SMS_ALONE, hasty: [...SMS_ALONE, { ...alone(sms({ receipts: [] }, ['EXPIRED'])), isShort: true }] },
} as const

const MAX_IN_REQUEST = 5

export interface RequestTools {
  readonly accounts: readonly TestAccount[]
  readonly hookAddress: string
  readonly smsScripts: Map<string, MessageScript>
  readonly random: Random
  /** All of them when absent. */
  readonly channels?: keyof typeof FATES
}

export class Requests {
  readonly #tools: RequestTools
  #serial = 0

  constructor(tools: RequestTools) {
    this.#tools = tools
  }

  draw(count: number): readonly ClientRequest[] {
    return Array.from({ length: count }, () => this.drawOne())
  }

  drawOne(): ClientRequest {
    const { accounts, random } = this.#tools
    const account = accounts[random.below(accounts.length)] as TestAccount
    const count = 1 + random.below(MAX_IN_REQUEST)
    const asked = Array.from({ length: count }, () => this.#ask(account))
    const certainty = account.name === 'unique' ? 'unique ids' : random.below(2) === 0 ? 'key' : 'hope'
    return {
      account,
      path: random.below(4) === 0 ? '/api/json.php' : '/v1/json',
      certainty,
      key: certainty === 'key' ? `key-${this.#serial}` : null,
      asked,
      body: JSON.stringify({ auth: account.key, data: asked.map(({ item }) => item) }),
    }
  }

  #ask({ name }: TestAccount): Asked {
    const { random, hookAddress, smsScripts, channels = 'all channels' } = this.#tools
    const { any, hasty } = FATES[channels]
    // A call is not covered by unique ids: it has no answer that could be given again.
    const fates = name === 'hasty' ? hasty : name === 'unique' ? any.filter(({ type }) => type !== 'call/otp') : any
    const fate = fates[random.below(fates.length)] as Fate
    this.#serial += 1
    const clientId = this.#serial
    const phone = `4917${String(clientId).padStart(6, '0')}${fate.phone}`
    if (fate.sms !== undefined) smsScripts.set(phone, { ...scriptOf(phone).sms, ...fate.sms })
    const hook = fate.type === 'call/otp' || random.below(5) === 0 ? null : `${hookAddress}/${name}`
    return { clientId, phone, ends: endsOf(fate, name), hook, item: writeItem(fate, name, clientId, phone, hook) }
  }
}

/** A hasty account may give up a chat-app message or an SMS before it is delivered. */
function endsOf(fate: Fate, account: AccountName): readonly string[] {
  return account === 'hasty' && fate.type === 'rcs+chatapp+sms' ? [...fate.ends, 'EXPIRED'] : fate.ends
}

function writeItem(fate: Fate, sender: string, id: number, phone: string, hook: string | null): object {
  const { type, isShort, parts = 1 } = fate
  const head = { type, id, phone: Number(phone) }
  if (type === 'call/otp') return head
  const rcs = { rcs_signature: sender, rcs_message: `RCS ${id}`, ...(isShort && { rcs_lifetime: 1 }) }
  const chatapp = { chatapp_type: 'text', chatapp_signature: sender, chatapp_message: `Chat ${id}` }
  const tail = hook === null ? {} : { hook }
  if (type === 'rcs') return { ...head, ...rcs, ...tail }
  if (type === 'chatapp') return { ...head, ...chatapp, ...(isShort && { chatapp_lifetime: 1 }), ...tail }
  const sms = { sms_signature: sender, sms_message: writeText(id, parts) }
  if (type === 'sms') return { ...head, ...sms, ...(isShort && { sms_lifetime: 1 }), ...tail }
  return { ...head, ...rcs, ...chatapp, ...sms, ...tail }
}

/** A text of so many parts, no two of them alike. */
function writeText(id: number, parts: number): string {
  let text = `SMS ${id}`
  for (let word = 0; parts > 1 && text.length < 153 * (parts - 1) + 20; word += 1) text += ` ${id}.${word}`
  return text
}
