/**
 * Money. Internally every amount is an integer number of millionths of the account's currency; decimal numbers exist
 * only at the edges. Amounts are never rounded here: an amount that is not a whole number of millionths is refused.
 */
declare const micros: unique symbol

/** An integer number of millionths of a currency unit, within ±2^53. */
export type Micros = number & { readonly [micros]: true }

export const NO_MONEY = 0 as Micros

/** Returns the number as money. Throws a RangeError unless it is a safe integer. */
export function toMicros(amount: number): Micros {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not a whole number of millionths`)
  return amount as Micros
}

/** Returns the amount as a decimal number of currency units, for JSON: 50000 millionths is 0.05. */
export function toDecimal(amount: Micros): number {
  return amount / 1_000_000
}

/** Returns the amount as a decimal text with as few places as needed, never like `1e-7`: 50000 millionths is `0.05`. */
export function writeDecimal(amount: Micros): string {
  const whole = Math.floor(Math.abs(amount) / 1_000_000)
  const fraction = String(Math.abs(amount) % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${amount < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Reads a decimal text such as `12`, `0.05` or `-3.5` (at most six places); null if it is not one. */
export function parseDecimal(text: string): Micros | null {
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text)
  if (match === null) return null
  const [, sign, whole = '', fraction = ''] = match
  const amount = Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'))
  return toMicros(sign === '-' && amount !== 0 ? -amount : amount)
}

export function timesMicros(amount: Micros, count: number): Micros {
  return toMicros(amount * count)
}
