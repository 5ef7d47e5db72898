/** Translates texts with values in them, by a catalog of patterns. */

/** Null for a text that the catalog does not have. */
export type Translate = (text: string) => string | null

interface Pattern {
  /** The words around the values. */
  readonly parts: readonly string[]
  /** By value: whether it is a text of the catalog itself. */
  readonly isText: readonly boolean[]
  readonly target: string
}

const PLACES = /\{(…?)\}/
const MAX_DEPTH = 4
/** A longer text is none of the gateway's. */
const MAX_CHARACTERS = 2_000

/** The catalog has, by the text in English, that in another language. The first pattern that fits applies. */
export function makeTranslator(catalog: Readonly<Record<string, string>>): Translate {
  const patterns = Object.entries(catalog).flatMap(([source, target]) => readPattern(source, target))
  return (text) => (text.length > MAX_CHARACTERS ? null : new Translation(catalog, patterns).translate(text))
}

/** Of one text. Parts of it that occur in several ways are translated once: any client may have written it. */
class Translation {
  readonly #catalog: Readonly<Record<string, string>>
  readonly #patterns: readonly Pattern[]
  readonly #known = new Map<string, string | null>()

  constructor(catalog: Readonly<Record<string, string>>, patterns: readonly Pattern[]) {
    this.#catalog = catalog
    this.#patterns = patterns
  }

  translate(text: string, depth = 0): string | null {
    if (Object.hasOwn(this.#catalog, text)) return this.#catalog[text] ?? null
    const key = `${depth} ${text}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const translated = depth === MAX_DEPTH ? null : this.#apply(text, depth)
    this.#known.set(key, translated)
    return translated
  }

  #apply(text: string, depth: number): string | null {
    for (const { parts, isText, target } of this.#patterns) {
      const values: string[] = []
      for (const [place, value] of (valuesIn(text, parts) ?? []).entries()) {
        const shown = isText[place] === true ? this.translate(value, depth + 1) : value
        // A text that is half in one language says less than one in the other.
        if (shown === null) break
        values.push(shown)
      }
      if (values.length === isText.length) return fill(target, values)
    }
    return null
  }
}

function readPattern(source: string, target: string): readonly Pattern[] {
  const [first = '', ...rest] = source.split(PLACES)
  if (rest.length === 0) return []
  const isText = rest.filter((_, index) => index % 2 === 0).map((kind) => kind === '…')
  return [{ parts: [first, ...rest.filter((_, index) => index % 2 === 1)], isText, target }]
}

/** Returns what stands between the parts, each as short as can be; null if the text does not consist of them. */
function valuesIn(text: string, [first = '', ...rest]: readonly string[]): readonly string[] | null {
  const last = rest.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last)) return null
  const values: string[] = []
  let from = first.length
  for (const [index, part] of rest.entries()) {
    const end = index === rest.length - 1 ? text.length - part.length : text.indexOf(part, from + 1)
    if (end <= from) return null
    values.push(text.slice(from, end))
    from = end + part.length
  }
  return values
}

function fill(target: string, values: readonly string[]): string {
  return target.replace(/\{(\d)\}/g, (place, number: string) => values[Number(number) - 1] ?? place)
}

/** In forms, null is an empty field. */
export function inForms(text: string): string {
  return text.replaceAll(/\bor null\b/g, 'or empty')
}
