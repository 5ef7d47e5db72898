/** Calendar months in UTC, for statements. */
declare const month: unique symbol

/** Year and month in six digits: 202611 is November 2026. Sorts by time. */
export type Month = number & { readonly [month]: true }

/** Returns the month of a time, milliseconds since 1970. */
export function monthOf(at: number): Month {
  const date = new Date(at)
  return toMonth(date.getUTCFullYear(), date.getUTCMonth())
}

/** Returns its beginning, milliseconds since 1970. */
export function beginningOf(of: Month): number {
  return Date.UTC(Math.floor(of / 100), (of % 100) - 1)
}

export function monthAfter(of: Month): Month {
  return of % 100 === 12 ? ((of + 89) as Month) : ((of + 1) as Month)
}

/** Reads `2026-11`; null if it is not a month. */
export function readMonth(text: string): Month | null {
  const [, year, number] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(text) ?? []
  return year === undefined || number === undefined ? null : toMonth(Number(year), Number(number) - 1)
}

export function writeMonth(of: Month): string {
  return `${Math.floor(of / 100)}-${String(of % 100).padStart(2, '0')}`
}

function toMonth(year: number, index: number): Month {
  return (year * 100 + index + 1) as Month
}
