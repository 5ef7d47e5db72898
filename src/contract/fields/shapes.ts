/**
 * Kinds of nested values: objects, lists of them, and choices between objects by their `type`. An error names the path
 * of the value, such as `rich.cards[2].title`. Unlike the fields of an operation, unknown members are refused.
 */
import { notAList, notAnObject, required, unknownMember, unknownType } from '../request/error-texts.ts'
import { ItemRefused } from '../request/refused.ts'
import { isSent } from './fields.ts'
import type { Kind } from './kinds.ts'

export interface Member<V = unknown, R extends boolean = boolean> {
  readonly kind: Kind<V>
  readonly required: R
  readonly description: string
}

export type Members = Readonly<Record<string, Member>>

type ValueOf<M> = M extends Member<infer V> ? V : never
type Names<M extends Members, R extends boolean> = {
  [K in keyof M]: M[K]['required'] extends R ? K : never
}[keyof M]

/** The value of an object with these members. */
export type Shaped<M extends Members> = { readonly [K in Names<M, true>]: ValueOf<M[K]> } & {
  readonly [K in Names<M, false>]?: ValueOf<M[K]>
}

/** Of the name of an unknown member, in UTF-16 units. */
const MAX_NAME_LENGTH = 64

export function must<V>(kind: Kind<V>, description: string): Member<V, true> {
  return { kind, required: true, description }
}

export function may<V>(kind: Kind<V>, description: string): Member<V, false> {
  return { kind, required: false, description }
}

/** An object with these members. `check` throws an ItemRefused if they do not go together. */
export function shape<M extends Members>(
  members: M,
  check: (value: Shaped<M>, path: string) => void = () => {},
): Kind<Shaped<M>> {
  const entries = Object.entries(members)
  return {
    read(raw, path, limits) {
      const object = readObject(raw, path)
      const unknown = Object.keys(object).find((name) => !Object.hasOwn(members, name) && isSent(object[name]))
      if (unknown !== undefined) {
        throw new ItemRefused(unknownMember(path, unknown.slice(0, MAX_NAME_LENGTH).toWellFormed()))
      }
      const values: Record<string, unknown> = {}
      for (const [name, { kind, required: isRequired }] of entries) {
        const member = `${path}.${name}`
        if (isSent(object[name])) values[name] = kind.read(object[name], member, limits)
        else if (isRequired) throw new ItemRefused(required(member))
      }
      check(values as Shaped<M>, path)
      return values as Shaped<M>
    },
    schema: (limits) => ({
      type: 'object',
      required: entries.filter(([, member]) => member.required).map(([name]) => name),
      properties: Object.fromEntries(
        entries.map(([name, { kind, description }]) => [name, { ...kind.schema(limits), description }]),
      ),
      additionalProperties: false,
    }),
  }
}

export function listOfValues<V>(kind: Kind<V>, min: number, max: number): Kind<readonly V[]> {
  return {
    read(raw, path, limits) {
      if (!Array.isArray(raw) || raw.length < min || raw.length > max) throw new ItemRefused(notAList(path, min, max))
      return raw.map((each, index) => kind.read(each, `${path}[${index}]`, limits))
    },
    schema: (limits) => ({ type: 'array', items: kind.schema(limits), minItems: min, maxItems: max }),
  }
}

type Choices = Readonly<Record<string, Kind<object>>>

/** One of several objects, chosen by the member `type`, which each of them has. */
export function oneOfTypes<C extends Choices>(choices: C): Kind<C[keyof C] extends Kind<infer V> ? V : never> {
  const types = Object.keys(choices)
  return {
    read(raw, path, limits) {
      const { type } = readObject(raw, path)
      const chosen = typeof type === 'string' && Object.hasOwn(choices, type) ? choices[type] : undefined
      if (chosen === undefined) throw new ItemRefused(unknownType(path, types))
      return chosen.read(raw, path, limits) as never
    },
    schema: (limits) => {
      const schemas = Object.entries(choices).map(([type, kind]) => [type, kind.schema(limits)] as const)
      return {
        oneOf: schemas.map(([, schema]) => schema),
        discriminator: {
          propertyName: 'type',
          mapping: Object.fromEntries(schemas.map(([type, schema]) => [type, (schema as Reference).$ref])),
        },
      }
    },
  }
}

interface Reference {
  readonly $ref: string
}

/** The kind under a name of its own in the OpenAPI document, where `schemasOf` defines it. */
export function named<V>(name: string, kind: Kind<V>): NamedKind<V> {
  return { name, kind, read: kind.read, schema: () => ({ $ref: `#/components/schemas/${name}` }) }
}

export interface NamedKind<V = unknown> extends Kind<V> {
  readonly name: string
  readonly kind: Kind<V>
}

function readObject(raw: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new ItemRefused(notAnObject(path))
  return raw as Readonly<Record<string, unknown>>
}
