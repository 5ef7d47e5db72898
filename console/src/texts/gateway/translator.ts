/** Translates texts with values in them, by a catalog of patterns. */

import { escapePattern } from '../escape-pattern.ts'

/** Null for a text that the catalog does not have. */
export type Translate = (text: string) => string | null

interface Pattern {
  readonly form: RegExp
  /** By group: whether it is a text of the catalog itself. */
  readonly isText: readonly boolean[]
  readonly target: string
}

const PLACES = /\{(…?)\}/
const MAX_DEPTH = 4
/** A longer text is none of the gateway's. */
const MAX_CHARACTERS = 4_000

/** The catalog has, by the text in English, that in another language; the first pattern that fits applies. */
export function makeTranslator(catalog: Readonly<Record<string, string>>): Translate {
  const patterns = Object.entries(catalog).flatMap(([source, target]) => compile(source, target))
  const translate = (text: string, depth: number): string | null => {
    if (Object.hasOwn(catalog, text)) return catalog[text] ?? null
    if (depth === MAX_DEPTH) return null
    for (const { form, isText, target } of patterns) {
      const groups = form.exec(text)?.slice(1)
      const values = groups?.map((group, place) => (isText[place] === true ? translate(group, depth + 1) : group))
      // A text that is half in one language says less than one in the other.
      if (values?.every((value) => value !== null)) return fill(target, values)
    }
    return null
  }
  return (text) => (text.length > MAX_CHARACTERS ? null : translate(text, 0))
}

function compile(source: string, target: string): readonly Pattern[] {
  const [first = '', ...rest] = source.split(PLACES)
  if (rest.length === 0) return []
  const isText = rest.filter((_, index) => index % 2 === 0).map((kind) => kind === '…')
  const parts = [first, ...rest.filter((_, index) => index % 2 === 1)]
  return [{ form: new RegExp(`^${parts.map(escapePattern).join('(.+?)')}$`, 's'), isText, target }]
}

function fill(target: string, values: readonly (string | null)[]): string {
  return target.replace(/\{(\d)\}/g, (place, number: string) => values[Number(number) - 1] ?? place)
}

/** In forms, null is an empty field. */
export function inForms(text: string): string {
  return text.replaceAll(/\bor null\b/g, 'or empty')
}
