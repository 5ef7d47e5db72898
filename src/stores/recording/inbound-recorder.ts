/**
 * Decides what to store of inbound messages: each one once, even if its carrier repeats it, and the parts of a long one
 * until the message is complete. Tracks keys and parts arrival by arrival.
 */
import type { InboundContent } from '../../domain/inbound/inbound-message.ts'
import type { InboundArrival, InboundKey, InboundMessage, SettledKey } from '../../ports/carriers/carrier.ts'
import type { Vault } from '../../ports/system/vault.ts'
import { inboundAddress, inboundRef, inboundText } from '../rows/cells/kept-text.ts'

/** Common to the parts of one message. */
export type PartsKey = readonly [carrierId: string, sender: string, recipient: string, reference: number, total: number]

/** `text` is sealed. */
export type PartRow = readonly [number: number, text: string, at: number]

/** What is stored. */
export interface InboundFacts {
  /** Until when the key is stored; undefined if it is not. */
  readonly keepUntil: (key: InboundKey) => number | undefined
  readonly parts: (key: PartsKey) => readonly PartRow[]
}

export interface InboundRows {
  readonly keys: readonly (readonly [carrierId: string, key: string, keepUntil: number])[]
  /** Removed before `parts` are written. */
  readonly removedParts: readonly PartsKey[]
  readonly parts: readonly (readonly [...PartsKey, ...PartRow])[]
  /** Cleaned for storage. */
  readonly messages: readonly InboundMessage[]
}

interface Part extends KeptPart {
  readonly at: number
}

interface Parts {
  readonly key: PartsKey
  list: Part[]
  /** How many of the list, from its beginning. */
  stored: number
  areStoredRemoved: boolean
}

interface Key {
  readonly of: InboundKey
  keepUntil: number
  isChanged: boolean
}

export class InboundRecorder {
  readonly #facts: InboundFacts
  readonly #vault: Vault
  readonly #keys = new Map<string, Key>()
  readonly #parts = new Map<string, Parts>()
  readonly #messages: InboundMessage[] = []

  constructor(facts: InboundFacts, vault: Vault) {
    this.#facts = facts
    this.#vault = vault
  }

  settle(settled: SettledKey): void {
    const key = this.#keyOf(settled)
    if (key.keepUntil > settled.at) this.#keepKey(key, settled.at)
  }

  /** An arrival under a stored key that was not settled since is a repeat. */
  take(arrival: InboundArrival): void {
    const key = this.#keyOf(arrival)
    if (key.keepUntil > arrival.at) return
    this.#keepKey(key, arrival.keyUntil)
    const partsKey = partsKeyOf(arrival)
    if (partsKey === null || arrival.part === null) this.#keep(arrival)
    else this.#takePart(partsKey, { number: arrival.part.number, text: keepPart(arrival.text), at: arrival.at })
  }

  /** Stores the message from the parts that arrived, and removes the parts. */
  join(key: PartsKey): void {
    const parts = this.#partsOf(key)
    if (parts.list.length === 0) return
    const [carrierId, sender, recipient, , total] = key
    const at = Math.max(...parts.list.map((part) => part.at))
    this.#keep({ carrierId, sender, recipient, text: joinParts(parts.list, total), parts: total, at })
    parts.areStoredRemoved ||= parts.stored > 0
    parts.list = []
    parts.stored = 0
  }

  rows(): InboundRows {
    const keys = [...this.#keys.values()].filter(({ isChanged }) => isChanged)
    const parts = [...this.#parts.values()]
    return {
      keys: keys.map(({ of: { carrierId, key }, keepUntil }) => [carrierId, key, keepUntil]),
      removedParts: parts.filter(({ areStoredRemoved }) => areStoredRemoved).map(({ key }) => key),
      parts: parts.flatMap(({ key, list, stored }) =>
        list.slice(stored).map(({ number, text, at }) => [...key, number, this.#vault.seal(text), at] as const),
      ),
      messages: this.#messages,
    }
  }

  #takePart(key: PartsKey, part: Part): void {
    const parts = this.#partsOf(key)
    const same = parts.list.find(({ number }) => number === part.number)
    if (same?.text === part.text) return
    // References repeat. A different text for the same part number belongs to another message.
    if (same !== undefined) this.join(key)
    parts.list.push(part)
    if (parts.list.length === key[4]) this.join(key)
  }

  #keep({ carrierId, sender, recipient, text, at, payload = '', content, ...others }: InboundMessage): void {
    const { quotes, parts, consent, ref, userId } = others
    const tapped: InboundContent = { kind: 'suggestion', payload }
    const kept = content !== undefined ? { content } : payload === '' ? {} : { content: tapped }
    const addresses = { sender: inboundAddress(sender), recipient: inboundAddress(recipient) }
    const quoted = quotes === undefined ? {} : { quotes: inboundRef(quotes) }
    const joined = parts === undefined ? {} : { parts }
    const decided = consent === undefined ? {} : { consent }
    const named = ref === undefined ? {} : { ref: inboundRef(ref) }
    const ofUser = userId === undefined ? {} : { userId }
    const facts = { ...kept, ...quoted, ...joined, ...decided, ...named, ...ofUser }
    this.#messages.push({ carrierId, ...addresses, text: inboundText(text), at, ...facts })
  }

  #keepKey(key: Key, keepUntil: number): void {
    key.keepUntil = keepUntil
    key.isChanged = true
  }

  #keyOf({ carrierId, key }: InboundKey): Key {
    const name = inboundKeyName({ carrierId, key })
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    const of = { carrierId, key }
    const stored: Key = { of, keepUntil: this.#facts.keepUntil(of) ?? Number.NEGATIVE_INFINITY, isChanged: false }
    this.#keys.set(name, stored)
    return stored
  }

  #partsOf(key: PartsKey): Parts {
    const known = this.#parts.get(partsKeyName(key))
    if (known !== undefined) return known
    const list = this.#facts.parts(key).map(([number, text, at]) => ({ number, text: this.#vault.open(text), at }))
    const parts = { key, list, stored: list.length, areStoredRemoved: false }
    this.#parts.set(partsKeyName(key), parts)
    return parts
  }
}

/** Returns null for a message of one part. */
export function partsKeyOf({ carrierId, sender, recipient, part }: InboundArrival): PartsKey | null {
  if (part === null) return null
  return [carrierId, inboundAddress(sender), inboundAddress(recipient), part.reference, part.total]
}

export function inboundKeyName({ carrierId, key }: InboundKey): string {
  return `${carrierId} ${key}`
}

export function partsKeyName(key: PartsKey): string {
  return key.join('\0')
}

/** Longest stored part, characters. A part of an SMS has at most 160. */
const LONGEST_PART = 1_024

/** Replaces a part that never arrived. */
const MISSING = '[…]'

interface KeptPart {
  /** From 1. */
  readonly number: number
  /** As returned by `keepPart`. */
  readonly text: string
}

/** Cleans a part for storage: it may end in the middle of a character, which no database stores as it is. */
function keepPart(text: string): string {
  return JSON.stringify(text.slice(0, LONGEST_PART))
}

/** `parts` in any order. */
function joinParts(parts: readonly KeptPart[], total: number): string {
  const texts = new Map(parts.map(({ number, text }) => [number, JSON.parse(text) as string]))
  return Array.from({ length: total }, (_, index) => texts.get(index + 1) ?? MISSING).join('')
}
