/** Finds the line of a JSON text that an error of the API is about: `routes[3].prefix: must be a text`. */
import { lineAt } from '../../parts/json-fault.ts'

const PLACE = /^([\w-]+)(?:\[(\d+)\])?((?:\.[\w-]+)*):/
/** Strings, brackets, colons, commas, and anything else between them. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g

/** Returns the line from 1; null if the error names no place or the text does not have it. */
export function lineOfError(text: string, error: string): number | null {
  const [, section, index, rest = ''] = PLACE.exec(error) ?? []
  if (section === undefined) return null
  const path = [section, ...(index === undefined ? [] : [index]), ...rest.split('.').slice(1)]
  // A field may be missing: then the line of its entry.
  for (let length = path.length; length > 0; length -= 1) {
    const at = offsetOf(text, path.slice(0, length))
    if (at !== null) return lineAt(text, at)
  }
  return null
}

interface Level {
  readonly isList: boolean
  /** The name or index of the present entry. */
  key: string
}

/** Returns where the value at this path begins, names and indexes alike. The text must be valid JSON. */
function offsetOf(text: string, path: readonly string[]): number | null {
  const levels: Level[] = []
  let isName = false
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const level = levels.at(-1)
    if (token === ']' || token === '}') {
      levels.pop()
      isName = false
    } else if (token === ',') {
      if (level?.isList === true) level.key = String(Number(level.key) + 1)
      isName = level?.isList === false
    } else if (token === ':') {
      isName = false
    } else if (isName && level !== undefined) {
      level.key = JSON.parse(token)
    } else {
      if (levels.length === path.length && levels.every(({ key }, depth) => key === path[depth])) return index
      if (token === '[' || token === '{') levels.push({ isList: token === '[', key: token === '[' ? '0' : '' })
      isName = token === '{'
    }
  }
  return null
}
