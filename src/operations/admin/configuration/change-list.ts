/** What an apply changes, for its reviewer: one line for each item, details of the first ones, and a hash of all. */
import { createHash } from 'node:crypto'

export interface ItemChange {
  readonly section: string
  readonly action: 'added' | 'removed' | 'changed'
  /** For example `route sms 49… to acme`. */
  readonly item: string
  readonly fields: readonly FieldChange[]
}

/** Values are JSON, or `(secret)`; null for none. */
interface FieldChange {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

const MARKS = { added: '+', removed: '-', changed: '~' } as const
/** Of these the fields are kept; of all the line. */
const MAX_DETAILED = 1_000
/** Longer lists are shown as their length. */
const MAX_LIST_CHARACTERS = 100

export class ChangeList {
  readonly lines: string[] = []
  readonly details: ItemChange[] = []
  readonly counts = { added: 0, removed: 0, changed: 0 }
  readonly #hash = createHash('sha256')

  add(change: ItemChange): void {
    const { action, item, fields } = change
    const shown = fields.map(({ field, before, after }) => ({ field, before: shorten(before), after: shorten(after) }))
    this.#hash.update(JSON.stringify(change))
    this.counts[action] += 1
    if (this.details.length < MAX_DETAILED) this.details.push({ ...change, fields: shown })
    const words = shown.map(({ field, before, after }) => `${field} ${before ?? 'nothing'} → ${after ?? 'nothing'}`)
    this.lines.push(`${MARKS[action]} ${item}${action === 'changed' ? `: ${words.join(', ')}` : ''}`)
  }

  /** Identifies these changes with all their values, of which secrets are left out. */
  review(): string {
    return this.#hash.copy().digest('base64url').slice(0, 22)
  }
}

function shorten(text: string | null): string | null {
  if (text === null || text.length <= MAX_LIST_CHARACTERS || !text.startsWith('[')) return text
  return `${(JSON.parse(text) as readonly unknown[]).length} entries`
}
