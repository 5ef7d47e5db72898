/**
 * The receipts that the simulated SMSC has to send, in buckets of 50 ms so that many need few timers. Each is sent to
 * the session that submitted the message, or, if that is closed or cannot receive, to any bound session that can; it is
 * repeated until it is answered with success. While there is no such session they wait, up to a limit.
 */
import type { Clock } from '../../ports/system/clock.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'
import { stateOfWord } from '../../wire/smpp/message-state.ts'
import type { Outcome } from '../../wire/smpp/outcome.ts'
import { type Address, deliverSm, type ShortMessage } from '../../wire/smpp/pdu.ts'
import { writeReceiptText } from '../../wire/smpp/receipt-text.ts'
import type { SmppSession } from '../../wire/smpp/session.ts'
import { byteTlv, NO_TLVS, TAGS, type Tlv, textTlv } from '../../wire/smpp/tlv.ts'

export type ReceiptStat = 'DELIVRD' | 'EXPIRED' | 'UNDELIV'

const stateTlv = (stat: ReceiptStat) => byteTlv(TAGS.messageState, stateOfWord(stat)?.number ?? 0)
const STATE_TLVS: Readonly<Record<ReceiptStat, Tlv>> = {
  DELIVRD: stateTlv('DELIVRD'),
  EXPIRED: stateTlv('EXPIRED'),
  UNDELIV: stateTlv('UNDELIV'),
}

export interface PendingReceipt {
  readonly ref: string
  readonly phone: Address
  readonly sender: Address
  readonly stat: ReceiptStat
  readonly submittedAt: number
  readonly text: string
  /** The session that submitted the message. */
  readonly from: SmppSession
}

/** The form of this SMSC's receipts: real ones differ in everything. */
export interface ReceiptShape {
  readonly form: 'text and parameters' | 'text' | 'parameters'
  /** Returns the id in the receipt for the id in the answer. */
  readonly id?: (ref: string) => string
  /** Returns another text for the standard text. */
  readonly text?: (text: string) => string
  /** How often each is sent: 0 loses all of them. One if absent. */
  readonly copies?: number
}

const STANDARD: ReceiptShape = { form: 'text and parameters' }

const BUCKET_MS = 50
const RETRY_MS = 1_000
/** Further receipts are lost. */
const MAX_PENDING = 500_000
const RECEIPT_CLASS = 0x04
const NOTHING = new Uint8Array()

/** Due receipts of one session that wait for room. */
class ReadyQueue {
  #receipts: PendingReceipt[] = []
  /** Those before it have been sent. */
  #next = 0

  get first(): PendingReceipt | undefined {
    return this.#receipts[this.#next]
  }

  add(receipt: PendingReceipt): void {
    this.#receipts.push(receipt)
  }

  removeFirst(): void {
    this.#next += 1
    if (this.#next * 2 <= this.#receipts.length) return
    this.#receipts = this.#receipts.slice(this.#next)
    this.#next = 0
  }
}

export class SmscReceipts {
  readonly #clock: Clock
  readonly #receivers: () => readonly SmppSession[]
  readonly #shape: ReceiptShape
  readonly #buckets = new Map<number, PendingReceipt[]>()
  readonly #ready = new Map<SmppSession, ReadyQueue>()
  #pending = 0
  #turn = 0
  #stopped = false

  constructor(clock: Clock, receivers: () => readonly SmppSession[], shape = STANDARD) {
    this.#clock = clock
    this.#shape = shape
    this.#receivers = receivers
  }

  /** Receipts without a successful answer yet. */
  get pending(): number {
    return this.#pending
  }

  schedule(receipt: PendingReceipt, afterMs: number): void {
    const { copies = 1 } = this.#shape
    for (let copy = 0; copy < copies && this.#pending < MAX_PENDING; copy += 1) {
      this.#pending += 1
      this.#later(receipt, afterMs)
    }
  }

  /** Sends it before anything else is written to its session; schedules it if that cannot take it. */
  sendFirst(receipt: PendingReceipt): void {
    const session = receipt.from
    if (session.room === 0 || !this.#receivers().includes(session)) {
      this.schedule(receipt, 0)
      return
    }
    this.#pending += 1
    this.#send(receipt, session)
  }

  /** Sends due receipts as far as there is room. Must be called when a session was bound. */
  pump(): void {
    const receivers = this.#receivers()
    for (const [from, queue] of this.#ready) {
      const own = receivers.includes(from) ? [from] : receivers
      for (let receipt = queue.first; receipt !== undefined; receipt = queue.first) {
        const session = this.#withRoom(own)
        if (session === null) break
        queue.removeFirst()
        this.#send(receipt, session)
      }
      if (queue.first === undefined) this.#ready.delete(from)
    }
  }

  stop(): void {
    this.#stopped = true
    this.#buckets.clear()
    this.#ready.clear()
  }

  #makeReady(receipt: PendingReceipt): void {
    const queue = this.#ready.get(receipt.from) ?? new ReadyQueue()
    this.#ready.set(receipt.from, queue)
    queue.add(receipt)
  }

  #later(receipt: PendingReceipt, afterMs: number): void {
    if (this.#stopped) return
    const now = this.#clock.monotonic()
    const bucket = Math.ceil((now + afterMs) / BUCKET_MS)
    const there = this.#buckets.get(bucket)
    if (there !== undefined) {
      there.push(receipt)
      return
    }
    this.#buckets.set(bucket, [receipt])
    this.#clock.after(bucket * BUCKET_MS - now, () => {
      const due = this.#buckets.get(bucket) ?? []
      this.#buckets.delete(bucket)
      for (const each of due) this.#makeReady(each)
      this.pump()
    })
  }

  #withRoom(receivers: readonly SmppSession[]): SmppSession | null {
    for (let tried = 0; tried < receivers.length; tried += 1) {
      this.#turn = (this.#turn + 1) % receivers.length
      const session = receivers[this.#turn]
      if (session !== undefined && session.room > 0) return session
    }
    return null
  }

  #send(receipt: PendingReceipt, session: SmppSession): void {
    session.request(writeReceipt(receipt, this.#clock.now(), this.#shape), (outcome) => {
      if (isSuccess(outcome)) {
        this.#pending -= 1
        if (this.#ready.size > 0) this.pump()
      } else if (session.isClosed && !this.#stopped) {
        this.#makeReady(receipt)
        this.pump()
      } else {
        this.#later(receipt, RETRY_MS)
      }
    })
  }
}

function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.answer.status === STATUS.ok
}

function writeReceipt(receipt: PendingReceipt, doneAt: number, shape: ReceiptShape): ShortMessage {
  const { stat, phone, sender, submittedAt, text } = receipt
  const id = shape.id?.(receipt.ref) ?? receipt.ref
  const delivered = stat === 'DELIVRD'
  const standard = writeReceiptText({ id, stat, err: delivered ? '000' : '001', submittedAt, doneAt, delivered, text })
  const words = shape.text?.(standard) ?? standard
  return deliverSm({
    source: phone,
    destination: sender,
    esmClass: RECEIPT_CLASS,
    dataCoding: 0,
    payload: shape.form === 'parameters' ? NOTHING : Buffer.from(words, 'latin1'),
    tlvs: shape.form === 'text' ? NO_TLVS : [textTlv(TAGS.receiptedMessageId, id), STATE_TLVS[stat]],
  })
}
