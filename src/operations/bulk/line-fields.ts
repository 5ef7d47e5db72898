/** What a line of a bulk says: its phone, its id, and the values of the placeholders. */
import { ID_FIELD, isSent, PHONE_FIELD, readFields } from '../../contract/fields/fields.ts'
import { required } from '../../contract/request/error-texts.ts'
import type { ReadingRules } from '../../contract/request/limits.ts'
import { JsonToken } from '../../contract/request/read-json.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { Bulk } from '../../domain/bulk/bulk.ts'
import type { BulkLine, LineError } from '../../domain/bulk/bulk-lines.ts'
import { placeholdersIn } from '../../domain/text/placeholders.ts'
import type { LineSource, RawLine } from './read-lines.ts'

const PHONE_AND_ID = [ID_FIELD, PHONE_FIELD] as const

interface LineColumns extends Pick<LineSource, 'required' | 'optional'> {
  /** The placeholders of the message. */
  readonly names: readonly string[]
}

export function lineColumnsOf({ message }: Pick<Bulk, 'message'>): LineColumns {
  const names = [...new Set(placeholdersIn(JSON.parse(message)))]
  return {
    names,
    required: [...new Set(['phone', ...names])],
    optional: names.includes('id') ? [] : ['id'],
  }
}

export function readLine(
  raw: RawLine,
  line: number,
  { rules, names }: Pick<LineColumns, 'names'> & { readonly rules: ReadingRules },
): BulkLine | LineError {
  if (raw === null) return { line, cause: { text: 'The line is not a JSON object', field: null } }
  try {
    const { id = null, phone } = readFields(raw, PHONE_AND_ID, rules)
    return { line, phone, id, values: Object.fromEntries(names.map((name) => [name, fillingOf(raw, name)])) }
  } catch (error) {
    if (!(error instanceof ItemRefused)) throw error
    return { line, cause: { text: error.message, field: error.field } }
  }
}

/** Throws ItemRefused for a placeholder that the line does not fill. */
function fillingOf(raw: NonNullable<RawLine>, name: string): string {
  const value = Object.hasOwn(raw, name) ? raw[name] : undefined
  const text =
    typeof value === 'string'
      ? value
      : value instanceof JsonToken
        ? value.source
        : typeof value === 'number'
          ? String(value)
          : ''
  if (!isSent(text)) throw new ItemRefused(required(name), name)
  return text
}
