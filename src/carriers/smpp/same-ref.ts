/**
 * One ref for a message whose id a carrier writes in two ways: hexadecimal in its answer and decimal in its receipts, or
 * the other way round, with zeros in front or without.
 */

export const ID_FORMS = ['as-is', 'hex', 'decimal'] as const

export type IdForm = (typeof ID_FORMS)[number]

const DIGITS: Readonly<Record<Exclude<IdForm, 'as-is'>, RegExp>> = { hex: /^[0-9a-f]+$/i, decimal: /^[0-9]+$/ }

/** The number without zeros in front, decimal; the id itself where it is not of that form. */
export function sameRef(id: string, form: IdForm): string {
  if (form === 'as-is' || !DIGITS[form].test(id)) return id
  return BigInt(form === 'hex' ? `0x${id}` : id).toString()
}
