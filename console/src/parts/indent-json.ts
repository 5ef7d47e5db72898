/** JSON as one reads it. */

/** Returns the text unchanged if it is no JSON. */
export function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
