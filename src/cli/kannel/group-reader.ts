/** A group of kannel.conf while it is translated: knows which of its settings have been used, and notes the others. */
import type { Group, Note } from './kannel-file.ts'

/** Why settings have no counterpart, by name. */
export type Reasons = ReadonlyMap<string, string>

const YES: ReadonlySet<string> = new Set(['yes', 'true', 'on', '1'])
const NO_COUNTERPART = 'has no counterpart'

export class GroupReader {
  readonly #group: Group
  readonly #title: string
  readonly #notes: Note[]
  readonly #used = new Set<string>()

  /** `title` names the group in notes: `smsc mtn`. */
  constructor(group: Group, title: string, notes: Note[]) {
    this.#group = group
    this.#title = title
    this.#notes = notes
  }

  /** Returns null for a missing or empty setting. */
  text(key: string): string | null {
    this.#used.add(key)
    const value = this.#group.settings.get(key)?.value ?? ''
    return value === '' ? null : value
  }

  /** Returns null, with a note, if the value is no number from `least` to `most`. */
  number(key: string, least: number, most: number): number | null {
    const text = this.text(key)
    if (text === null) return null
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    this.note(key, `is not a number from ${least} to ${most}: Posthorn's default counts`)
    return null
  }

  /** Returns null for a missing setting. */
  flag(key: string): boolean | null {
    const text = this.text(key)
    return text === null ? null : YES.has(text.toLowerCase())
  }

  /** Returns the parts of a list that Kannel divides with semicolons. */
  list(key: string): readonly string[] {
    return (this.text(key) ?? '')
      .split(';')
      .map((each) => each.trim())
      .filter((each) => each !== '')
  }

  /** Notes something about a setting, or about the whole group if it has none of that name. */
  note(key: string | null, why: string): void {
    const setting = key === null ? undefined : this.#group.settings.get(key)
    const { file, line } = setting ?? this.#group
    this.#notes.push({ file, line, subject: setting === undefined ? this.#title : `${this.#title}, ${key}`, why })
  }

  /** Notes each setting that has not been used, except those that need no counterpart. */
  finish(unneeded: ReadonlySet<string>, reasons: Reasons): void {
    for (const [key, { value }] of this.#group.settings) {
      if (this.#used.has(key) || unneeded.has(key) || value === '') continue
      this.note(key, reasons.get(key) ?? NO_COUNTERPART)
    }
  }
}
