/** Amounts as price lists write them: `0,0712 €`, `$ 1,234.50`, `EUR 0.07`. */
import { type Micros, toMicros } from './money.ts'

export type DecimalSign = '.' | ','

export interface WrittenAmount {
  /** Of one part, rounded to the nearest millionth. Null if `1.234` may be a thousand. */
  readonly micros: Micros | null
  /** What the text proves; null if it proves nothing. */
  readonly decimal: DecimalSign | null
  /** ISO 4217, from a sign or code beside the digits; null without one. */
  readonly currency: string | null
}

const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD' }
const MAX_CHARACTERS = 40
/** The digits, with a currency before or after them. */
const FORM = /^(?<before>[€£$]|[A-Z]{3})?\s*(?<digits>\d[\d.,'’\s]*|[.,]\d+)\s*(?<after>[€£$]|[A-Z]{3})?$/i
const MAX_WHOLE_DIGITS = 9

/** Returns null for any other text. `assumed` decides where the digits leave it open. */
export function readWrittenAmount(text: string, assumed: DecimalSign | null): WrittenAmount | null {
  const groups = text.length > MAX_CHARACTERS ? undefined : FORM.exec(text.trim())?.groups
  if (groups === undefined) return null
  const { before, digits = '', after } = groups
  if (before !== undefined && after !== undefined) return null
  const sign = before ?? after ?? null
  const currency = sign === null ? null : (SIGNS[sign] ?? sign.toUpperCase())
  const plain = digits.trim().replace(/['’\s](?=\d{3}(?!\d))/g, '')
  const decimal = decimalSignOf(plain)
  if (decimal === undefined) return { micros: null, decimal: null, currency, ...openAmount(plain, assumed) }
  const micros = microsOf(plain, decimal)
  // A whole number proves nothing.
  return micros === null ? null : { micros, decimal: /[.,]/.test(plain) ? decimal : null, currency }
}

function openAmount(plain: string, assumed: DecimalSign | null): { readonly micros?: Micros | null } {
  return assumed === null ? {} : { micros: microsOf(plain, assumed) }
}

/** Undefined for digits such as `1.234`, which may be a thousand. */
function decimalSignOf(plain: string): DecimalSign | undefined {
  const [point, comma] = [plain.lastIndexOf('.'), plain.lastIndexOf(',')]
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  const sign = comma >= 0 ? ',' : '.'
  const other = sign === '.' ? ',' : '.'
  if (plain.indexOf(sign) !== plain.lastIndexOf(sign)) return other
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(plain) ? undefined : sign
}

function microsOf(plain: string, decimal: DecimalSign): Micros | null {
  const thousands = decimal === '.' ? ',' : '.'
  const [whole = '', fraction = '', ...more] = plain.split(decimal)
  const isGrouped = !whole.includes(thousands) || /^\d{1,3}(?:[.,]\d{3})+$/.test(whole)
  const digits = whole.replaceAll(thousands, '')
  if (more.length > 0 || !isGrouped || !/^\d*$/.test(digits + fraction)) return null
  if (digits.length > MAX_WHOLE_DIGITS) return null
  const rounded = Math.round(Number(`0.${fraction === '' ? '0' : fraction}`) * 1_000_000)
  const micros = Number(digits === '' ? '0' : digits) * 1_000_000 + rounded
  // What is not free does not become free.
  return micros === 0 && /[1-9]/.test(fraction) ? null : toMicros(micros)
}
