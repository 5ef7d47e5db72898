/** Calendar months in UTC, by which statements are drawn. */
declare const month: unique symbol

/** Year and month in six digits: 202611 is November 2026. In this order they sort. */
export type Month = number & { readonly [month]: true }

/** The month of a moment, milliseconds since 1970. */
export function monthOf(at: number): Month {
  const date = new Date(at)
  return toMonth(date.getUTCFullYear(), date.getUTCMonth())
}

/** Its first moment, milliseconds since 1970. */
export function beginningOf(of: Month): number {
  return Date.UTC(Math.floor(of / 100), (of % 100) - 1)
}

export function monthAfter(of: Month): Month {
  return of % 100 === 12 ? ((of + 89) as Month) : ((of + 1) as Month)
}

/** Reads `2026-11`; null when it is no month. */
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
