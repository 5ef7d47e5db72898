/** Maps the texts of JSON. */

/** Returns a copy with each text, however deep, mapped; `path` is that of the value. */
export function mapTexts(value: unknown, path: string, map: (text: string, path: string) => string): unknown {
  if (typeof value === 'string') return map(value, path)
  if (typeof value !== 'object' || value === null) return value
  const inner = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`)
  if (Array.isArray(value)) return value.map((each: unknown, index) => mapTexts(each, inner(index), map))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, inner(name), map)]))
}
