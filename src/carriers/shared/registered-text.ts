/** Texts that a regulator or a carrier has registered: the template of a message is found by its text. */
import { matchText, ownLength, readTextPattern, type TextPattern } from './match-text.ts'

export const MAX_REGISTERED = 2_000

/** Placeholders of the registers: `{#var#}`, `{#url#}`. One name may stand for different values. */
const REGISTERED_PLACEHOLDER = /\{#\w{1,60}#\}/g

/** Reads a text with `{{name}}` or `{#var#}`, which is numbered: `1`, `2` … */
export function readRegisteredText(text: string): TextPattern {
  let count = 0
  const numbered = text.replace(REGISTERED_PLACEHOLDER, () => {
    count += 1
    return `{{${count}}}`
  })
  return readTextPattern(numbered)
}

interface Registered {
  readonly pattern: TextPattern
}

/** Those with more text outside of placeholders come first. */
export function bySpecificity<R extends Registered>(registered: readonly R[]): readonly R[] {
  return registered.toSorted((a, b) => ownLength(b.pattern) - ownLength(a.pattern))
}

/** Returns the first that the text fits, with the values of its placeholders by name, in the order of the text. */
export function findRegistered<R extends Registered>(registered: readonly R[], text: string) {
  for (const found of registered) {
    const variables = matchText(found.pattern, text)
    if (variables !== null) return { found, variables }
  }
  return null
}
