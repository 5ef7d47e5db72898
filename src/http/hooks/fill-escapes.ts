/** Kannel's escape codes in an address, such as `%p` and `%d`, replaced with values of one report. */

/** By letter, written into the address as they are: `percentEncoded`, except times. Absent codes stay. */
type EscapeValues = Readonly<Partial<Record<string, string>>>

export interface EscapeFacts {
  readonly values: EscapeValues
  /** What the codes for words refer to: of a receipt what the SMSC answered. */
  readonly text: string
}

/** Replaces codes from left to right: each word is used once by `%s`, `%S` and `%r`. */
export function fillEscapes(template: string, { values, text }: EscapeFacts): string {
  const words = text.split(/\s+/).filter((word) => word !== '')
  let used = 1
  const nextWord = () => words[used++] ?? ''
  return template.replace(CODES, (code, letter: string | undefined) => {
    switch (letter) {
      case undefined:
        // Meta-data, of which there is none.
        return ''
      case '%':
        return '%'
      case 'k':
        return percentEncoded(words[0] ?? '')
      case 's':
        return percentEncoded(nextWord())
      case 'S':
        // Kannel writes it as it is; that would let a phone add parameters.
        return percentEncoded(nextWord().replaceAll('*', '~'))
      case 'r': {
        const rest = words.slice(used).join(' ')
        used = words.length
        return percentEncoded(rest)
      }
      case 'a':
        return percentEncoded(words.join(' '))
      case 'b':
      case 'A':
        return percentEncoded(text)
      case 'e':
        return Buffer.from(text).toString('hex').toUpperCase()
      default:
        return values[letter] ?? code
    }
  })
}

const CODES = /%(?:#[^#%]{0,64}#[^#%]{0,64}#|([A-Za-z%]))/g

/** As a form does it: a space is a plus. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}
