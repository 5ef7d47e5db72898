/**
 * Makes the ids that carriers send storable, where they enter and before anything is found by them: no database keeps
 * U+0000 or half a character in a text. An id changed so is another one, so what it names is unknown.
 */
import { isStorable } from '../../domain/text/hidden-characters.ts'
import type { CarrierReceipt, InboundArrival, InboundKey } from '../../ports/carriers/carrier.ts'

const UNSTORABLE = /[\0\p{Surrogate}]/gu

/** Different ids stay different. */
export function storableId(id: string): string {
  if (isStorable(id)) return id
  return id.replace(UNSTORABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function storableReceipt(receipt: CarrierReceipt): CarrierReceipt {
  const ref = storableId(receipt.ref)
  return ref === receipt.ref ? receipt : { ...receipt, ref }
}

export function storableKey<Key extends InboundKey>(of: Key): Key {
  const key = storableId(of.key)
  return key === of.key ? of : { ...of, key }
}

export function storableArrival(arrival: InboundArrival): InboundArrival {
  const { ref, quotes } = arrival
  return {
    ...storableKey(arrival),
    ...(ref === undefined ? {} : { ref: storableId(ref) }),
    ...(quotes === undefined ? {} : { quotes: storableId(quotes) }),
  }
}
