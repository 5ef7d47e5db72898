/** Finds where a text stops being JSON: the errors of browsers often do not name the place. */

const TOKEN = /"(?:[^"\\]|\\.)*"|"|[[\]{}:,]|[^\s[\]{}:,"]+/g
const TEXT = /^"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"$/u
const SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/

type Wanted = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'end'

/** Returns the line of the first fault, from 1. The last line if the text ends too early. */
export function lineOfFault(text: string): number {
  const open: string[] = []
  let wanted: Wanted = 'value'
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const next = follow(token, wanted, open)
    if (next === null) return lineAt(text, index)
    wanted = next
  }
  return lineAt(text.trimEnd(), text.length)
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Returns what must come after the token; null if it must not come here. `open` has the brackets around it. */
function follow(token: string, wanted: Wanted, open: string[]): Wanted | null {
  const close = open.at(-1) === '[' ? ']' : '}'
  if (wanted === ':') return token === ':' ? 'value' : null
  const mayClose = wanted !== 'value' && wanted !== 'name' && open.length > 0
  if (mayClose && token === close) {
    open.pop()
    return 'end'
  }
  if (wanted === 'end') return token === ',' && open.length > 0 ? (close === ']' ? 'value' : 'name') : null
  if (wanted === 'name' || wanted === 'name or }') return TEXT.test(token) ? ':' : null
  if (token === '[' || token === '{') {
    open.push(token)
    return token === '[' ? 'value or ]' : 'name or }'
  }
  return TEXT.test(token) || SCALAR.test(token) ? 'end' : null
}
