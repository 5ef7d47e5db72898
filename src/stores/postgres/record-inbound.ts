/** What people wrote to our numbers: kept once and sealed, long messages when they are whole; read newest first. */
import {
  INBOUND_PARTS_KEPT_MS,
  type InboundArrival,
  type InboundKey,
  type InboundMessage,
  type SettledKey,
} from '../../ports/carrier.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Cell } from '../rows/cell.ts'
import { joinParts, type KeptPart, keepPart } from '../rows/inbound-parts.ts'
import { inboundAddress, inboundText } from '../rows/kept-text.ts'
import { bucketOfRef } from './bucket-of.ts'
import { ByBucket } from './by-bucket.ts'
import type { Link } from './link.ts'
import { lockNames } from './lock-names.ts'
import type { Session } from './session.ts'
import { inBucket, insertion, rare, unnest } from './statement.ts'

const KEY = { carrier_id: 'text', key: 'text' } as const
const WHOLE = {
  carrier_id: 'text',
  sender: 'text',
  recipient: 'text',
  reference: 'bigint',
  total: 'integer',
} as const
const WHOLE_COLUMNS = Object.keys(WHOLE).join(', ')

const FIND_KEYS = inBucket<[carrierId: string, key: string, keepUntil: number]>(
  `SELECT carrier_id, key, keep_until FROM inbound_key JOIN ${unnest(KEY, 2)} USING (carrier_id, key) WHERE bucket = $1`,
)
const KEEP_KEYS = insertion(
  'inbound_key',
  { ...KEY, keep_until: 'bigint' },
  'ON CONFLICT (bucket, carrier_id, key) DO UPDATE SET keep_until = excluded.keep_until',
)
const FIND_PARTS = inBucket<[...WholeKey, number: number, text: string, at: number]>(
  `SELECT ${WHOLE_COLUMNS}, number, text, at FROM inbound_part
   JOIN ${unnest(WHOLE, 2)} USING (${WHOLE_COLUMNS}) WHERE bucket = $1`,
)
const REMOVE_PARTS = inBucket(
  `DELETE FROM inbound_part USING ${unnest(WHOLE, 2)} WHERE inbound_part.bucket = $1 AND ${Object.keys(WHOLE)
    .map((column) => `inbound_part.${column} = new.${column}`)
    .join(' AND ')}`,
)
const INSERT_PARTS = insertion('inbound_part', { ...WHOLE, number: 'integer', text: 'text', at: 'bigint' })
const INSERT_MESSAGES = insertion('inbound_message', {
  carrier_id: 'text',
  sender: 'text',
  recipient: 'text',
  text: 'text',
  at: 'bigint',
})
const OVERDUE = rare<WholeKey>(`SELECT DISTINCT ${WHOLE_COLUMNS} FROM inbound_part WHERE at <= $1 LIMIT $2`)
const NEWEST = rare<[carrierId: string, sender: string, recipient: string, text: string, at: number]>(
  'SELECT carrier_id, sender, recipient, text, at FROM inbound_message ORDER BY inbound_id DESC LIMIT $1',
)

/** What the parts of one message have in common. */
export type WholeKey = [carrierId: string, sender: string, recipient: string, reference: number, total: number]

export interface InboundOrder {
  readonly arrivals: readonly InboundArrival[]
  /** Done first. */
  readonly settled: readonly SettledKey[]
}

/** All that a carrier brings is in one bucket, and so in one lane of each node. */
export function bucketOfCarrier(carrierId: string): number {
  return bucketOfRef(carrierId, '')
}

export async function recordInbound(session: Session, orders: readonly InboundOrder[]): Promise<readonly null[]> {
  const arrivals = orders.flatMap((order) => order.arrivals)
  const settled = orders.flatMap((order) => order.settled)
  const wholes = arrivals.map(wholeOf).filter((whole) => whole !== null)
  const desk = await InboundDesk.open(session, [...arrivals, ...settled], wholes)
  for (const order of orders) {
    for (const key of order.settled) desk.settle(key)
    for (const arrival of order.arrivals) desk.take(arrival)
  }
  desk.write()
  return orders.map(() => null)
}

/** Messages whose parts have waited long enough, as far as they came. */
export async function joinOverdue(
  session: Session,
  orders: readonly (readonly WholeKey[])[],
): Promise<readonly null[]> {
  const wholes = orders.flat()
  const desk = await InboundDesk.open(session, [], wholes)
  for (const whole of wholes) desk.join(whole)
  desk.write()
  return orders.map(() => null)
}

export function findOverdue(link: Link, now: number, most: number): Promise<readonly WholeKey[]> {
  return link.ask(OVERDUE, now - INBOUND_PARTS_KEPT_MS, most)
}

export async function inboundMessages(link: Link, vault: Vault, most: number): Promise<readonly InboundMessage[]> {
  const rows = await link.ask(NEWEST, most)
  return rows.map(([carrierId, sender, recipient, text, at]) => {
    return { carrierId, sender, recipient, text: vault.openText(text), at }
  })
}

interface Whole {
  readonly key: WholeKey
  parts: (KeptPart & { readonly at: number })[]
  /** As many of them were read, and stand in the database. */
  stored: number
}

/** Keys and parts as they are in the database and become, arrival by arrival. */
class InboundDesk {
  readonly #session: Session
  /** Until when each is known; null for not at all. */
  readonly #keys = new Map<string, { readonly key: InboundKey; keepUntil: number | null; isChanged: boolean }>()
  readonly #wholes = new Map<string, Whole>()
  readonly #removed = new Map<string, WholeKey>()
  readonly #messages = new ByBucket<Cell[]>()

  private constructor(session: Session) {
    this.#session = session
  }

  static async open(session: Session, keys: readonly InboundKey[], wholes: readonly WholeKey[]): Promise<InboundDesk> {
    const desk = new InboundDesk(session)
    await desk.#read(keys, wholes)
    return desk
  }

  settle({ carrierId, key, at }: SettledKey): void {
    const known = this.#keys.get(`${carrierId} ${key}`)
    if (known === undefined || known.keepUntil === null || known.keepUntil <= at) return
    known.keepUntil = at
    known.isChanged = true
  }

  /** What has come under its key, and whose key was not settled since, is kept already. */
  take(arrival: InboundArrival): void {
    const { carrierId, key, keyUntil, at } = arrival
    const known = this.#keys.get(`${carrierId} ${key}`)
    if (known === undefined || (known.keepUntil !== null && known.keepUntil > at)) return
    known.keepUntil = keyUntil
    known.isChanged = true
    const whole = wholeOf(arrival)
    if (whole === null || arrival.part === null) this.#keep(arrival)
    else this.#takePart(whole, arrival.part.number, keepPart(arrival.text), at)
  }

  /** Keeps the message as far as it came, in place of its parts. */
  join(key: WholeKey): void {
    const whole = this.#wholes.get(key.join('\0'))
    if (whole === undefined || whole.parts.length === 0) return
    const [carrierId, sender, recipient, , total] = key
    const at = Math.max(...whole.parts.map((part) => part.at))
    this.#keep({ carrierId, sender, recipient, text: joinParts(whole.parts, total), at })
    if (whole.stored > 0) this.#removed.set(key.join('\0'), key)
    whole.parts = []
    whole.stored = 0
  }

  write(): void {
    const [kept, removed, parts] = Array.from({ length: 3 }, () => new ByBucket<Cell[]>()) as [
      ByBucket<Cell[]>,
      ByBucket<Cell[]>,
      ByBucket<Cell[]>,
    ]
    for (const { key, keepUntil, isChanged } of this.#keys.values()) {
      if (isChanged) kept.add(bucketOfCarrier(key.carrierId), [key.carrierId, key.key, keepUntil])
    }
    for (const key of this.#removed.values()) removed.add(bucketOfCarrier(key[0]), key)
    const { vault } = this.#session
    for (const { key, parts: all, stored } of this.#wholes.values()) {
      for (const { number, text, at } of all.slice(stored)) {
        parts.add(bucketOfCarrier(key[0]), [...key, number, vault.seal(text), at])
      }
    }
    for (const [bucket, rows] of kept.entries()) this.#session.insert(KEEP_KEYS, bucket, rows)
    for (const [bucket, rows] of removed.entries()) this.#session.update(REMOVE_PARTS, bucket, rows)
    for (const [bucket, rows] of parts.entries()) this.#session.insert(INSERT_PARTS, bucket, rows)
    for (const [bucket, rows] of this.#messages.entries()) this.#session.insert(INSERT_MESSAGES, bucket, rows)
  }

  /** Several nodes may be brought parts of one message, or the same one again: nobody else has these meanwhile. */
  async #read(keys: readonly InboundKey[], wholes: readonly WholeKey[]): Promise<void> {
    const [askedKeys, askedWholes] = [new ByBucket<Cell[]>(), new ByBucket<Cell[]>()]
    for (const { carrierId, key } of keys) {
      if (this.#keys.has(`${carrierId} ${key}`)) continue
      this.#keys.set(`${carrierId} ${key}`, { key: { carrierId, key }, keepUntil: null, isChanged: false })
      askedKeys.add(bucketOfCarrier(carrierId), [carrierId, key])
    }
    for (const key of wholes) {
      if (this.#wholes.has(key.join('\0'))) continue
      this.#wholes.set(key.join('\0'), { key, parts: [], stored: 0 })
      askedWholes.add(bucketOfCarrier(key[0]), key)
    }
    const names = [...this.#keys.keys(), ...this.#wholes.keys()].map((name) => `inbound ${name.replaceAll('\0', ' ')}`)
    const [, knownKeys, knownParts] = await Promise.all([
      lockNames(this.#session, names),
      Promise.all(askedKeys.entries().map(([bucket, rows]) => this.#session.askFor(FIND_KEYS, bucket, rows))),
      Promise.all(askedWholes.entries().map(([bucket, rows]) => this.#session.askFor(FIND_PARTS, bucket, rows))),
    ])
    for (const [carrierId, key, keepUntil] of knownKeys.flat()) {
      const known = this.#keys.get(`${carrierId} ${key}`)
      if (known !== undefined) known.keepUntil = keepUntil
    }
    const { vault } = this.#session
    for (const row of knownParts.flat()) {
      const whole = this.#wholes.get(row.slice(0, 5).join('\0'))
      if (whole === undefined) continue
      whole.parts.push({ number: row[5], text: vault.open(row[6]), at: row[7] })
      whole.stored += 1
    }
  }

  #takePart(key: WholeKey, number: number, text: string, at: number): void {
    const whole = this.#wholes.get(key.join('\0'))
    if (whole === undefined) return
    const same = whole.parts.find((part) => part.number === number)
    if (same?.text === text) return
    // References are few. The same place with other words is a part of another message.
    if (same !== undefined) this.join(key)
    whole.parts.push({ number, text, at })
    if (whole.parts.length === key[4]) this.join(key)
  }

  #keep({ carrierId, sender, recipient, text, at }: InboundMessage): void {
    const sealed = this.#session.vault.seal(inboundText(text))
    this.#messages.add(bucketOfCarrier(carrierId), [
      carrierId,
      inboundAddress(sender),
      inboundAddress(recipient),
      sealed,
      at,
    ])
  }
}

/** Null for a message that came in one. */
function wholeOf({ carrierId, sender, recipient, part }: InboundArrival): WholeKey | null {
  if (part === null) return null
  return [carrierId, inboundAddress(sender), inboundAddress(recipient), part.reference, part.total]
}
