/**
 * One ref for a message whose id a carrier writes in two forms: hexadecimal in its answer and decimal in its receipts,
 * or the reverse, with or without leading zeros.
 */

export const ID_FORMS = ['as-is', 'any-case', 'hex', 'decimal'] as const

export type IdForm = (typeof ID_FORMS)[number]

const DIGITS: Readonly<Record<'hex' | 'decimal', RegExp>> = { hex: /^[0-9a-f]+$/i, decimal: /^[0-9]+$/ }

/** Returns the number in decimal without leading zeros; the id itself, or in small letters, if it is not a number. */
export function sameRef(id: string, form: IdForm): string {
  if (form === 'any-case') return id.toLowerCase()
  if (form === 'as-is' || !DIGITS[form].test(id)) return id
  return BigInt(form === 'hex' ? `0x${id}` : id).toString()
}
