/** What is known about a phone number: from the prefix table, or from a lookup service. */
import { countryOf } from './country.ts'
import type { Phone } from './phone.ts'

export const NUMBER_STATUSES = ['reachable', 'absent', 'unknown', 'invalid'] as const

/** `reachable`: in the network. `absent`: switched off or out of coverage. `invalid`: not assigned. */
export type NumberStatus = (typeof NUMBER_STATUSES)[number]

export interface NumberFacts {
  /** MCC and MNC of the operator that serves the number, `26201`; null if unknown. */
  readonly operator: string | null
  /** As the service writes it; null if unknown. */
  readonly operatorName: string | null
  /** ISO 3166-1 alpha-2 code; null if unknown. */
  readonly country: string | null
  /** Whether another operator than the first one serves it; null if unknown. */
  readonly ported: boolean | null
  readonly status: NumberStatus
  /** Identifies the SIM card: private data, masked unless the operator of the gateway allows it; null if unknown. */
  readonly imsi: string | null
}

/** Returns the facts in the number itself, with its operator by the prefix table. */
export function factsByPrefix(phone: Phone, operator: string | null): NumberFacts {
  const country = countryOf(phone)
  return { operator, operatorName: null, country, ported: null, status: 'unknown', imsi: null }
}

/** Returns the codes of country and network, and a sign for each digit that identifies the subscriber. */
export function maskImsi(imsi: string): string {
  return imsi.slice(0, 5) + '*'.repeat(Math.max(0, imsi.length - 5))
}
