/** What people wrote to our numbers: kept once and sealed, long messages when they are whole; read newest first. */
import {
  INBOUND_PARTS_KEPT_MS,
  type InboundArrival,
  type InboundMessage,
  type SettledKey,
} from '../../ports/carrier.ts'
import { joinParts, type KeptPart, keepPart } from '../rows/inbound-parts.ts'
import { inboundAddress, inboundText } from '../rows/kept-text.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

export function recordInbound(
  session: Session,
): (arrivals: readonly InboundArrival[], settled: readonly SettledKey[]) => void {
  const { database } = session
  const messages = new InboundMessages(session)
  const settle = new Statement(
    database,
    'UPDATE inbound_key SET keep_until = min(keep_until, ?) WHERE carrier_id = ? AND key = ?',
  )
  const isNew = new Statement(
    database,
    `INSERT INTO inbound_key (carrier_id, key, keep_until) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET keep_until = excluded.keep_until WHERE keep_until <= ?`,
  )
  return (arrivals, settled) => {
    for (const { carrierId, key, at } of settled) settle.run(at, carrierId, key)
    for (const arrival of arrivals) {
      const { carrierId, key, keyUntil, at } = arrival
      if (isNew.run(carrierId, key, keyUntil, at) > 0) messages.take(arrival)
    }
  }
}

/** Keeps as far as they came the messages whose parts have waited long enough, one slice; true when there may be more. */
export function sweepInboundParts(session: Session): (now: number) => boolean {
  const messages = new InboundMessages(session)
  const overdue = new Statement<WholeKey>(
    session.database,
    `SELECT DISTINCT carrier_id, sender, recipient, reference, total FROM inbound_part WHERE at <= ? LIMIT ${SLICE}`,
  )
  return (now) => {
    const found = overdue.all(now - INBOUND_PARTS_KEPT_MS)
    for (const key of found) messages.join(key)
    return found.length === SLICE
  }
}

export function inboundMessages({ database, vault }: Session): (most: number) => InboundMessage[] {
  const select = new Statement<[carrierId: string, sender: string, recipient: string, text: string, at: number]>(
    database,
    'SELECT carrier_id, sender, recipient, text, at FROM inbound_message ORDER BY inbound_id DESC LIMIT ?',
  )
  return (most) =>
    select.all(most).map(([carrierId, sender, recipient, text, at]) => {
      return { carrierId, sender, recipient, text: vault.openText(text), at }
    })
}

const SLICE = 100

/** What the parts of one message have in common. */
type WholeKey = [carrierId: string, sender: string, recipient: string, reference: number, total: number]
type PartRow = [number: number, text: string, at: number]

class InboundMessages {
  readonly #insert: Statement
  readonly #insertPart: Statement
  readonly #parts: Statement<PartRow>
  readonly #removeParts: Statement
  readonly #vault: Session['vault']

  constructor({ database, vault }: Session) {
    this.#vault = vault
    const whole = 'carrier_id = ? AND sender = ? AND recipient = ? AND reference = ? AND total = ?'
    this.#insert = new Statement(
      database,
      'INSERT INTO inbound_message (carrier_id, sender, recipient, text, at) VALUES (?, ?, ?, ?, ?)',
    )
    this.#insertPart = new Statement(
      database,
      `INSERT INTO inbound_part (carrier_id, sender, recipient, reference, total, number, text, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#parts = new Statement(database, `SELECT number, text, at FROM inbound_part WHERE ${whole}`)
    this.#removeParts = new Statement(database, `DELETE FROM inbound_part WHERE ${whole}`)
  }

  take(arrival: InboundArrival): void {
    const { carrierId, text, at, part } = arrival
    const [sender, recipient] = [inboundAddress(arrival.sender), inboundAddress(arrival.recipient)]
    if (part === null) {
      this.#keep({ carrierId, sender, recipient, text, at })
      return
    }
    const { reference, total, number } = part
    const key: WholeKey = [carrierId, sender, recipient, reference, total]
    const same = this.#partsOf(key).find((each) => each.number === number)
    if (same?.text === keepPart(text)) return
    // References are few. The same place with other words is a part of another message.
    if (same !== undefined) this.join(key)
    this.#insertPart.run(...key, number, this.#vault.seal(keepPart(text)), at)
    if (this.#partsOf(key).length === total) this.join(key)
  }

  /** Keeps the message as far as it came, in place of its parts. */
  join(key: WholeKey): void {
    const [carrierId, sender, recipient, , total] = key
    const parts = this.#partsOf(key)
    this.#removeParts.run(...key)
    const at = Math.max(...parts.map((part) => part.at))
    this.#keep({ carrierId, sender, recipient, text: joinParts(parts, total), at })
  }

  #partsOf(key: WholeKey): (KeptPart & { readonly at: number })[] {
    return this.#parts.all(...key).map(([number, text, at]) => ({ number, text: this.#vault.open(text), at }))
  }

  #keep({ carrierId, sender, recipient, text, at }: InboundMessage): void {
    this.#insert.run(carrierId, sender, recipient, this.#vault.seal(inboundText(text)), at)
  }
}
