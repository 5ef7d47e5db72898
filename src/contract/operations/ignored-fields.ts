/** Fields of an operation that are not used: results list them in `warnings`, so that a misspelled field is noticed. */
import { isSent, isUnusedPart } from '../fields/fields.ts'
import { ignored, moreIgnored } from '../request/error-texts.ts'
import type { TranslatedItem } from './chatapp-names.ts'
import { type OperationSchema, sendSchemaOf } from './operation-schemas.ts'

/** Warnings per result; further fields are only counted. */
const MAX_WARNINGS = 10
/** Of the name of a field, in UTF-16 units. */
const MAX_NAME_LENGTH = 64

/** Allowed in every operation. */
const COMMON = ['type', 'id']

/** Finds the ignored fields of an operation of a schema. */
class IgnoredFields {
  readonly #known: ReadonlySet<string>
  readonly #parts: OperationSchema['fields']
  readonly #sendNamedBy: string | undefined

  constructor({ fields, sendNamedBy }: OperationSchema) {
    this.#known = new Set([...COMMON, ...fields.map(({ name }) => name)])
    this.#parts = fields.filter(({ rules }) => rules.partOf !== undefined)
    this.#sendNamedBy = sendNamedBy
  }

  /**
   * Returns the warnings of an item; empty if all of its fields are used. Null and the empty string count as not sent.
   */
  warningsOf({ item, renamed, repeated }: TranslatedItem): readonly string[] {
    const send = this.#sendNamedBy === undefined ? null : sendSchemaOf(item[this.#sendNamedBy])
    const like = send === null ? null : ignoredFieldsOf(send)
    let names = repeated
    let count = repeated.length
    for (const name in item) {
      if (this.uses(name, item) || like?.uses(name, item) || !isSent(item[name])) continue
      count += 1
      if (names.length < MAX_WARNINGS) names = [...names, renamed.get(name) ?? name]
    }
    if (count === 0) return NONE
    const listed = names.slice(0, MAX_WARNINGS)
    const warnings = listed.map((name) => ignored(name.slice(0, MAX_NAME_LENGTH).toWellFormed()))
    return count === listed.length ? warnings : [...warnings, moreIgnored(count - listed.length)]
  }

  /** Returns whether the operation uses this field of the item. */
  uses(name: string, item: TranslatedItem['item']): boolean {
    if (!this.#known.has(name)) return false
    for (const field of this.#parts) if (field.name === name && isUnusedPart(item, field)) return false
    return true
  }
}

const NONE: readonly string[] = []

const OF_SCHEMAS = new WeakMap<OperationSchema, IgnoredFields>()

export function ignoredFieldsOf(schema: OperationSchema): IgnoredFields {
  const known = OF_SCHEMAS.get(schema)
  if (known !== undefined) return known
  const made = new IgnoredFields(schema)
  OF_SCHEMAS.set(schema, made)
  return made
}
