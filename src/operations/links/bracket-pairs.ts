/** Pairs the brackets of a text that have no space between them. Reads each character once. */

const CLOSING = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])
const BRACKET_OR_GAP = /[()[\]{}]|[\p{Z}\p{Cc}]/gu

export class BracketPairs {
  readonly #text: string
  readonly #closeByOpen = new Map<number, number>()
  #pairedTo = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Returns where the bracket opened here closes; -1 if it does not. */
  closeOf(open: number): number {
    if (open >= this.#pairedTo) this.#pairUp(open)
    return this.#closeByOpen.get(open) ?? -1
  }

  /** Pairs each kind separately: `(a[b)` is a pair that contains a bracket. */
  #pairUp(from: number): void {
    const bracket = new RegExp(BRACKET_OR_GAP)
    bracket.lastIndex = from
    const open = new Map<string, number[]>()
    for (let match = bracket.exec(this.#text); match !== null; match = bracket.exec(this.#text)) {
      const { 0: character, index } = match
      const closing = CLOSING.get(character)
      if (closing !== undefined) {
        const starts = open.get(closing) ?? []
        starts.push(index)
        open.set(closing, starts)
      } else if (isClosing(character)) {
        const start = open.get(character)?.pop()
        if (start !== undefined) this.#closeByOpen.set(start, index)
      } else {
        this.#pairedTo = index
        return
      }
    }
    this.#pairedTo = this.#text.length
  }
}

function isClosing(character: string): boolean {
  return character === ')' || character === ']' || character === '}'
}
