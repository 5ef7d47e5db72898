/** What differs between the values before and after a change. */
import type { Formats } from '../../texts/make-formats.ts'

interface ChangedField {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

export function changedFields({ before, after }: { before: unknown; after: unknown }): readonly ChangedField[] {
  const [old, changed] = [objectOf(before), objectOf(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(changed)])]
  return names
    .map((name) => ({ name, before: old[name], after: changed[name] }))
    .filter((each) => JSON.stringify(each.before) !== JSON.stringify(each.after))
}

/** A value as a short text, with its times in the user's format and zone. */
export function writeValue(value: unknown, { moments }: Pick<Formats, 'moments'>): string {
  if (value === undefined || value === null) return '–'
  return moments(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** A single value is shown as a field of its own. */
function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value) ? (value as never) : { value }
}
