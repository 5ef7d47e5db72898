/** A velocity limit as the API writes it, and its parts: 5 per phone in 3600 seconds. */
import { type Duration, durationSeconds, writeDuration } from '../../parts/form/duration-field.tsx'

export type Scope = 'phone' | 'country' | 'prefix'

/** As a user types it; parts may be empty or wrong. */
export interface VelocityLimit {
  readonly most: string
  readonly scope: Scope
  /** Of a prefix. */
  readonly digits: string
  readonly within: Duration
}

const WRITTEN = /^(\d+) per (phone|country|prefix)(?: of (\d+))? in (\d+) seconds?$/

/** Null for a text that is none. */
export function readVelocityLimit(text: string): VelocityLimit | null {
  const [, most = '', scope = '', digits = '', seconds = ''] = WRITTEN.exec(text) ?? []
  if (most === '') return null
  return { most, scope: scope as Scope, digits, within: writeDuration(Number(seconds)) }
}

/** The API names what is wrong with a text of which a part is. */
export function writeVelocityLimit({ most, scope, digits, within }: VelocityLimit): string {
  const of = scope === 'prefix' ? ` of ${digits.trim()}` : ''
  return `${most.trim()} per ${scope}${of} in ${durationSeconds(within) ?? within.amount.trim()} seconds`
}
