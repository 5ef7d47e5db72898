/** Parameters of a query or a form as bytes, for APIs whose texts come in several encodings. */

export type RawParams = readonly (readonly [name: string, value: Buffer])[]

/** Reads text of one unit per byte, as Node gives targets. Returns null for more than `max` parameters. */
export function readRawParams(text: string, max: number): RawParams | null {
  const pairs = text.split('&', max + 2).filter((pair) => pair !== '')
  if (pairs.length > max) return null
  return pairs.map((pair) => {
    const end = pair.indexOf('=')
    const name = end < 0 ? pair : pair.slice(0, end)
    return [decode(name).toString(), decode(end < 0 ? '' : pair.slice(end + 1))]
  })
}

/** What is not encoded correctly stays as it is. */
function decode(text: string): Buffer {
  const spaced = text.replaceAll('+', ' ')
  const bytes = spaced.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
