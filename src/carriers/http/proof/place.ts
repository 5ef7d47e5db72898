/** Settings that say where in a call a signature, a token, a time or an id is. */
import Type from 'typebox'
import { parsed, standard, text } from '../../shared/setting-kinds.ts'
import { type Call, queryOf } from './call.ts'

export interface ProofPlace {
  readonly from: 'header' | 'query' | 'field'
  readonly name: string
  readonly prefix: string
  /** Null for a single value. */
  readonly separator: string | null
}

/** Characters of a header or a field that is read for a proof. */
const MAX_LENGTH = 8_192
/** Values of one header: more are ignored. */
const MAX_VALUES = 10

const PLACE = {
  header: Type.Optional(text('Name of a header.')),
  query: Type.Optional(text('In place of `header`: name of a parameter of the address.')),
  field: Type.Optional(text('In place of `header`: path in a JSON body, or name of the field of a form.')),
  prefix: Type.Optional(text('The text before the value, such as `sha256=`; values without it are ignored.')),
  separator: Type.Optional(text('What separates several values, any of which may match; one value by default.')),
}

/** `{ "header": "X-Signature", "prefix": "v1=" }`; required without a default, unless in `Type.Optional`. */
export function place(description: string, usual?: Readonly<Record<string, string>>) {
  const about = { description, title: 'Place in a call', ...(usual === undefined ? {} : { default: usual }) }
  return parsed(
    standard(Type.Object(PLACE, { additionalProperties: false, ...about })),
    ({ header, query, field, prefix = '', separator }) => {
      const rest = { prefix, separator: separator ?? null }
      const found: ProofPlace[] = [
        ...(header === undefined ? [] : [{ from: 'header', name: header.toLowerCase(), ...rest } as const]),
        ...(query === undefined ? [] : [{ from: 'query', name: query, ...rest } as const]),
        ...(field === undefined ? [] : [{ from: 'field', name: field, ...rest } as const]),
      ]
      if (found[0] === undefined || found.length > 1) throw new Error('should have one of header, query and field')
      return found[0]
    },
  )
}

/** Returns no value from a call without one, and from a place with too long a text. */
export function valuesAt({ prefix, separator, ...where }: ProofPlace, call: Call): readonly string[] {
  const whole = textAt(where, call)
  if (whole === '' || whole.length > MAX_LENGTH) return []
  const values = separator === null ? [whole] : whole.split(separator, MAX_VALUES).map((value) => value.trim())
  return values
    .filter((value) => value.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase())
    .map((value) => value.slice(prefix.length))
}

/** Returns the first value; empty if there is none. */
export function valueOfPlace(where: ProofPlace, call: Call): string {
  return valuesAt(where, call)[0] ?? ''
}

/** Whether the value may be read before the body is. */
export function isInHead({ from }: ProofPlace): boolean {
  return from !== 'field'
}

function textAt({ from, name }: Pick<ProofPlace, 'from' | 'name'>, call: Call): string {
  if (from === 'header') return call.headers[name] ?? ''
  if (from === 'field') return call.field(name)
  // A parameter that comes twice proves nothing.
  const [value = '', ...others] = new URLSearchParams(queryOf(call.url)).getAll(name)
  return others.length === 0 ? value : ''
}
