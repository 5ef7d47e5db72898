/**
 * Values of the audit log as people read them: amounts with their currency, durations with their unit, times in RFC 3339.
 * The log itself, and JSON, keep the exact numbers. A unit is known by the end of the field's name.
 */
import type { VelocityLimit } from '../../domain/account-guards.ts'
import { type Micros, parseDecimal, writeDecimal } from '../../domain/money.ts'
import type { QuietHours } from '../../domain/quiet-hours.ts'
import { writeQuietHours, writeVelocityLimit } from './guard-texts.ts'

/** Amounts that the log holds as decimal numbers. */
const DECIMALS = ['topUp', 'correction', 'creditLimit']
const MOMENTS = /^(from|until|at|.*(At|Until))$/
const DURATION = /^(.+)(Seconds|Minutes|Hours|Days)$/

/** Returns `step lifetime 3600 seconds, low balance 5 EUR`. `currency` is null if unknown. */
export function describeAuditValue(value: unknown, currency: string | null): string {
  return inText(withUnits(value, currency))
}

/** The same value, its numbers as texts with a unit, its names as words. */
function withUnits(value: unknown, currency: string | null): unknown {
  if (Array.isArray(value)) return value.map((each) => withUnits(each, currency))
  if (typeof value !== 'object' || value === null) return value
  const own = 'currency' in value && typeof value.currency === 'string' ? value.currency : currency
  return Object.fromEntries(Object.entries(value).map(([name, each]) => describeField(name, each, own)))
}

function describeField(name: string, value: unknown, currency: string | null): readonly [string, unknown] {
  if (name.endsWith('Micros')) return [inWords(name.slice(0, -'Micros'.length)), writeMoney(value, currency)]
  if (DECIMALS.includes(name)) return [inWords(name), writeMoney(toMicrosOrNull(value), currency)]
  const [, what, unit] = DURATION.exec(name) ?? []
  if (what !== undefined && unit !== undefined && typeof value === 'number') {
    return [inWords(what), `${value} ${unit.toLowerCase()}`]
  }
  if (MOMENTS.test(name) && typeof value === 'number') return [inWords(name), new Date(value).toISOString()]
  if (name === 'quietHours' && isObject(value)) return [inWords(name), writeQuietHours(value as QuietHours)]
  if (name === 'velocityLimits' && Array.isArray(value)) {
    return [inWords(name), value.map((limit) => writeVelocityLimit(limit as VelocityLimit))]
  }
  return [inWords(name), withUnits(value, currency)]
}

function toMicrosOrNull(decimal: unknown): Micros | null {
  return typeof decimal === 'number' ? parseDecimal(String(decimal)) : null
}

function writeMoney(micros: unknown, currency: string | null): unknown {
  if (typeof micros !== 'number') return micros
  return `${writeDecimal(micros as Micros)}${currency === null ? '' : ` ${currency}`}`
}

/** `stepLifetime` is `step lifetime`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function inText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(inText).join(', ') || '-'
  if (!isObject(value)) return String(value)
  const fields = Object.entries(value).map(([name, each]) => `${name} ${inText(each)}`)
  return fields.join(', ') || '-'
}
