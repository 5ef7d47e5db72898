/** The value of a cell as text: what the spreadsheet shows, in a form that does not depend on a language. */

/** How the numbers of a workbook are to be read. */
export interface NumberStyles {
  /** Whether cells of the style are dates, by the number of the style. */
  readonly dates: readonly boolean[]
  /** Whether days count from 1904, as in files of old Macs. */
  readonly since1904: boolean
}

/** Spreadsheets show 15 digits; further ones are errors of binary fractions. */
const SHOWN_DIGITS = 15
const DAY_MS = 24 * 3600 * 1000
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** 31 December 9999. */
const MAX_DAY = 2_958_465
/** Spreadsheets count 29 February 1900, which did not exist. */
const FALSE_LEAP_DAY = 60

export function showNumber(text: string, style: number, { dates, since1904 }: NumberStyles): string {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  return dates[style] === true && value >= 0 && value <= MAX_DAY ? writeDay(value, since1904) : writeDecimal(value)
}

/** Without exponent: `0.000012`. */
function writeDecimal(value: number): string {
  const shown = Number(value.toPrecision(SHOWN_DIGITS))
  const plain = String(shown)
  if (!plain.includes('e')) return plain
  // 20 decimals hold every amount; larger numbers are no amounts.
  return Math.abs(shown) < 1 ? shown.toFixed(20).replace(/\.?0+$/, '') : BigInt(shown).toString()
}

/** Times have no zone: `2027-01-01T08:30:00`. Midnight is the day alone. */
function writeDay(value: number, since1904: boolean): string {
  const day = !since1904 && value < FALSE_LEAP_DAY ? value + 1 : value
  const seconds = Math.round((day * DAY_MS) / 1000) * 1000
  const iso = new Date((since1904 ? EPOCH_1904 : EPOCH_1900) + seconds).toISOString().slice(0, 19)
  return iso.endsWith('T00:00:00') ? iso.slice(0, 10) : iso
}

/** Formats of dates that have a number and no text. */
const DATE_FORMATS: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]

/** Whether a number format shows dates; `code` is the text of a format of the workbook's own. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return DATE_FORMATS.some(([first, last]) => id >= first && id <= last)
  // Quoted and escaped characters, colours and currencies are no part of a date.
  return /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '').replace(/general/gi, ''))
}

/** Restores characters that XML cannot hold: `_x000D_`. */
export function plainText(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
