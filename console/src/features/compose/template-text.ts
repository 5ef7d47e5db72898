/** Templates and their variables: `{{1}}`, `{{day}}`. */

const VARIABLE = /\{\{\s*(\w{1,40})\s*\}\}/g

/** Returns each name once, in the order of the text. The place of a link that the gateway fills is none. */
export function variablesIn(text: string): readonly string[] {
  const names = [...text.matchAll(VARIABLE)].map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => name !== 'unsubscribe')
}

/** Variables without a value stay as they are. */
export function fillTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (whole, name: string) => values[name] || whole)
}
