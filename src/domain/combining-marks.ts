/**
 * The stream-safe limit of Unicode (UAX #15): no language writes more than 30 combining marks on one character. Longer
 * runs make normalization quadratic, because it sorts the marks of a run.
 */

export const MAX_COMBINING_MARKS = 30

/** The combining marks begin at U+0300; most texts have no character from there on. */
const MAY_HAVE_MARKS = /[\u0300-\uffff]/
const LONG_RUN = new RegExp(`\\p{M}{${MAX_COMBINING_MARKS + 1}}`, 'u')

/** Returns whether more than 30 combining marks follow each other. Linear in the length of the text. */
export function hasTooManyMarks(text: string): boolean {
  return MAY_HAVE_MARKS.test(text) && LONG_RUN.test(text)
}
