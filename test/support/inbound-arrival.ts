/** Inbound messages as carriers pass them on: each with a key of its own by default. */
import type { InboundArrival } from '../../src/ports/carriers/carrier.ts'
import { BEGINNING } from './build-message.ts'

const DAY_MS = 86_400_000

let lastKey = 0

export function wrote(text: string, change: Partial<InboundArrival> = {}): InboundArrival {
  lastKey += 1
  const { at = BEGINNING } = change
  return {
    carrierId: 'carrier-1',
    sender: '37120000000',
    recipient: '1234',
    text,
    at,
    part: null,
    key: `key-${lastKey}`,
    keyUntil: at + DAY_MS,
    ...change,
  }
}

/** A part of a message of three. */
export function wrotePart(number: number, text: string, change: Partial<InboundArrival> = {}): InboundArrival {
  return wrote(text, { part: { reference: 700, total: 3, number }, ...change })
}
