/** Numbers as users type them. The API takes decimal numbers with at most six decimal places. */
import { ApiError } from '../../api/problem.ts'

const DECIMAL = /^-?\d{1,9}(\.\d{1,6})?$/

/** Returns the number, or null if the text is not one. Commas are refused: 1,000 is a thousand or one. */
export function parseDecimal(text: string): number | null {
  return DECIMAL.test(text.trim()) ? Number(text.trim()) : null
}

/** Throws ApiError with the problem at the field, which a form shows beside it. */
export function readDecimal(field: string, text: string, problem: string): number {
  return parseDecimal(text) ?? refuseField(field, problem)
}

/** One to three digits, a point and three digits: a thousand in some countries, and one in others. */
const AMBIGUOUS = /^[-+]?[1-9]\d{0,2}\.\d{3}$/

/** The same for an amount of money, of which a thousandth is rare: it is asked for in another form. */
export function readAmount(
  field: string,
  text: string,
  problems: { readonly wrong: string; unclear(text: string): string },
) {
  return AMBIGUOUS.test(text.trim())
    ? refuseField(field, problems.unclear(text.trim()))
    : readDecimal(field, text, problems.wrong)
}

export function isWhole(text: string): boolean {
  return /^\d{1,15}$/.test(text.trim())
}

/** The same for a whole number, which has no separators: 2.000 is two thousand or two. An empty text is none. */
export function readWhole(field: string, text: string, problem: string): number {
  return isWhole(text) ? Number(text.trim()) : refuseField(field, problem)
}

/** Throws ApiError as the API would refuse the field. */
export function refuseField(field: string, problem: string): never {
  throw new ApiError(400, '', problem, [{ field, detail: problem }])
}
