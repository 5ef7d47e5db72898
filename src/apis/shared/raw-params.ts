/** Parameters of a query, a form or a JSON object; as bytes, for APIs whose texts come in several encodings. */
import { isObject, type RequestObject } from '../../contract/request/envelope.ts'
import { readJson, readText } from '../../contract/request/read-json.ts'
import { Refused } from '../../contract/request/refused.ts'
import { decodeBytes } from '../../wire/percent-bytes.ts'

export type RawParams = readonly (readonly [name: string, value: Buffer])[]

/** `text` has a character for each byte. Returns null for more than `max` parameters. */
export function readRawParams(text: string, max: number): RawParams | null {
  const pairs = text.split('&', max + 1)
  if (pairs.length > max) return null
  return pairs.flatMap((pair): RawParams => {
    if (pair === '') return []
    const end = pair.indexOf('=')
    const name = end < 0 ? pair : pair.slice(0, end)
    return [[decodeBytes(name).toString(), decodeBytes(end < 0 ? '' : pair.slice(end + 1))]]
  })
}

/** Returns null for another body. */
export function readJsonObject(body: Buffer): RequestObject | null {
  try {
    const read = readJson(readText(body))
    return isObject(read) ? read : null
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}
