/**
 * The simulated phones. The last two digits of a number decide what happens to it, so that every outcome can be tried
 * by hand; docs/guides/sandbox.md has the table and test/journey checks it.
 */
import { MESSAGE_CHANNELS, type MessageChannel } from '../../domain/channels/channel.ts'
import type { ReceiptOutcome } from '../../domain/message/journey-event.ts'

/** What one phone does with a message of one channel. */
export interface MessageScript {
  /** False: the phone does not have the channel. */
  readonly reachable: boolean
  /** The carrier's first answer to a message before it takes it: asks to slow down, or does not answer. */
  readonly firstAnswer: 'taken' | 'slow' | 'silent'
  /** Receipts are sent before the answer to the submit. */
  readonly receiptsFirst: boolean
  /** In this order, each so many milliseconds after the carrier took the message. */
  readonly receipts: readonly PlannedReceipt[]
  /** Milliseconds after the end of the message's lifetime at which a delivery is reported; null for never. */
  readonly deliveredAfterLifetimeMs: number | null
}

export interface PlannedReceipt {
  readonly outcome: Extract<ReceiptOutcome, 'delivered' | 'read' | 'expired' | 'undeliverable'>
  readonly afterMs: number
}

export interface PhoneScript extends Readonly<Record<MessageChannel, MessageScript>> {
  readonly call: 'rings' | 'operator not supported' | 'fails'
  /** What a lookup service answers about the number. */
  readonly number: 'reachable' | 'absent' | 'ported' | 'invalid' | 'silent'
}

const DELIVERED_MS = 500
const READ_MS = 900

const delivers: MessageScript = {
  reachable: true,
  firstAnswer: 'taken',
  receiptsFirst: false,
  receipts: [{ outcome: 'delivered', afterMs: DELIVERED_MS }],
  deliveredAfterLifetimeMs: null,
}
const absent: MessageScript = { ...delivers, reachable: false, receipts: [] }
const neverDelivers: MessageScript = { ...delivers, receipts: [] }
const reads: MessageScript = {
  ...delivers,
  receipts: [
    { outcome: 'delivered', afterMs: DELIVERED_MS },
    { outcome: 'read', afterMs: READ_MS },
  ],
}
const readsFirst: MessageScript = {
  ...delivers,
  receipts: [
    { outcome: 'read', afterMs: DELIVERED_MS },
    { outcome: 'delivered', afterMs: DELIVERED_MS + 100 },
    { outcome: 'delivered', afterMs: DELIVERED_MS + 200 },
  ],
}
const deliversTwice: MessageScript = {
  ...delivers,
  receipts: [
    { outcome: 'delivered', afterMs: DELIVERED_MS },
    { outcome: 'delivered', afterMs: DELIVERED_MS + 200 },
  ],
}
const ends = (outcome: 'expired' | 'undeliverable'): MessageScript => ({
  ...delivers,
  receipts: [{ outcome, afterMs: DELIVERED_MS }],
})

const byAll = (script: MessageScript) =>
  Object.fromEntries(MESSAGE_CHANNELS.map((channel) => [channel, script])) as Record<MessageChannel, MessageScript>
const ordinary: PhoneScript = { ...byAll(delivers), call: 'rings', number: 'reachable' }
const everywhere = (script: MessageScript): PhoneScript => ({ ...ordinary, ...byAll(script) })

const SCRIPTS: Readonly<Record<string, PhoneScript>> = {
  '01': { ...ordinary, rcs: absent },
  '02': { ...ordinary, rcs: absent, chatapp: absent },
  '03': { ...ordinary, rcs: absent, chatapp: absent, sms: ends('undeliverable') },
  '04': { ...ordinary, rcs: neverDelivers },
  '05': { ...ordinary, rcs: neverDelivers, chatapp: neverDelivers },
  '06': { ...ordinary, rcs: reads, chatapp: reads },
  '07': { ...ordinary, call: 'operator not supported' },
  '08': { ...ordinary, call: 'fails' },
  '09': { ...ordinary, rcs: absent, chatapp: absent, sms: ends('expired') },
  '10': { ...ordinary, rcs: readsFirst, chatapp: readsFirst, sms: deliversTwice },
  '11': everywhere({ ...delivers, receiptsFirst: true, receipts: [{ outcome: 'delivered', afterMs: 0 }] }),
  '12': everywhere({ ...delivers, firstAnswer: 'slow' }),
  '13': everywhere({ ...delivers, firstAnswer: 'silent' }),
  '14': { ...ordinary, rcs: { ...neverDelivers, deliveredAfterLifetimeMs: 2_000 } },
  '15': { ...ordinary, number: 'ported' },
  '16': { ...ordinary, number: 'absent' },
  '17': { ...ordinary, number: 'invalid' },
  '18': { ...ordinary, number: 'silent' },
}

export function scriptOf(phone: string): PhoneScript {
  return SCRIPTS[phone.slice(-2)] ?? ordinary
}
