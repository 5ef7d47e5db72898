/** The encodings of an old client class in PHP: base64url with `,` as padding, and serialized arrays. */

export function toBase64Url(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ',')
}

export function fromBase64Url(text: string): string {
  return Buffer.from(text.replaceAll(',', '='), 'base64url').toString()
}

/** Returns the array as the function `serialize` of PHP writes it. Lengths of texts are in bytes. */
export function serialize(values: Readonly<Record<string, string | readonly string[]>>): string {
  const members = Object.entries(values).map(
    ([name, value]) => writeText(name) + (typeof value === 'string' ? writeText(value) : writeList(value)),
  )
  return `a:${members.length}:{${members.join('')}}`
}

function writeList(values: readonly string[]): string {
  return `a:${values.length}:{${values.map((value, index) => `i:${index};${writeText(value)}`).join('')}}`
}

function writeText(text: string): string {
  return `s:${Buffer.byteLength(text)}:"${text}";`
}
