/** Describes how a change altered an item. */
import type { View } from './fields.ts'

/** Compares two public forms of an item field by field, for example `operators 26201 → none`. */
export function listDifferences(before: View, after: View): string[] {
  return Object.keys(after).flatMap((name) => {
    const [was, is] = [show(before[name]), show(after[name])]
    return was === is ? [] : `${name.replaceAll('_', ' ')} ${was} → ${is}`
  })
}

function show(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(show).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
