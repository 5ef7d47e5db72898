/** Lists as users type them, in one field. */
export function splitList(text: string, separator: string): readonly string[] {
  return text
    .split(separator)
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
