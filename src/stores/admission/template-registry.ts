/**
 * The SMS templates of accounts as earlier requests of the transaction left them: created, listed and removed in order.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { takeFitting } from '../../domain/structures/answer-size.ts'
import { hasRoom, type SmsTemplate, type TemplateUsage } from '../../domain/text/template.ts'
import type { TemplateItem, TemplateList } from '../../ports/records/template-items.ts'
import type { ItemOutcome } from '../../ports/stores/intake-store.ts'
import type { Vault } from '../../ports/system/vault.ts'

/** The text is sealed. */
export type TemplateRow = readonly [id: number, accountId: AccountId, name: string, template: string]

/** What is stored. */
export interface TemplateFacts {
  readonly find: (accountId: number, templateId: number | null, name: string | null) => TemplateRow | undefined
  /**
   * In id order, after `list.after`: `max` rows, or fewer when their texts exceed `list.maxBytes`; the row that exceeds
   * it is the last.
   */
  readonly list: (accountId: number, list: TemplateList, max: number) => readonly TemplateRow[]
  readonly room: (accountId: number) => TemplateUsage
}

export interface TemplateRows {
  readonly added: readonly TemplateRow[]
  readonly removed: readonly TemplateRow[]
}

type Removal = Extract<TemplateItem, { kind: 'template removal' }>

export class TemplateRegistry {
  readonly #facts: TemplateFacts
  readonly #vault: Vault
  /** Of this transaction, by id. */
  readonly #added = new Map<number, TemplateRow>()
  /** The same by account and name, which are unique together. */
  readonly #addedByName = new Map<string, TemplateRow>()
  /** Templates that were stored before. */
  readonly #removed = new Map<number, TemplateRow>()
  /** Usage of the accounts that get new templates. */
  readonly #room = new Map<number, TemplateUsage>()

  constructor(facts: TemplateFacts, vault: Vault) {
    this.#facts = facts
    this.#vault = vault
  }

  take(accountId: number, item: TemplateItem): ItemOutcome {
    switch (item.kind) {
      case 'template':
        return this.#add(item)
      case 'template list':
        return { kind: 'templates', templates: this.#list(accountId, item).map((row) => this.#open(row)) }
      case 'template removal':
        return this.#remove(accountId, item)
    }
  }

  rows(): TemplateRows {
    return { added: [...this.#added.values()], removed: [...this.#removed.values()] }
  }

  #add({ template, max: most }: Extract<TemplateItem, { kind: 'template' }>): ItemOutcome {
    const { id, accountId, name } = template
    if (this.#find(accountId, null, name) !== undefined) return { kind: 'name taken' }
    const sealed = this.#vault.seal(template.template)
    if (!hasRoom(this.#roomOf(accountId), sealed.length, most)) return { kind: 'too many templates' }
    const row: TemplateRow = [id, accountId, name, sealed]
    this.#added.set(id, row)
    this.#addedByName.set(nameOf(row), row)
    this.#useRoom(accountId, 1, sealed.length)
    return { kind: 'template created' }
  }

  #remove(accountId: number, { templateId, name }: Removal): ItemOutcome {
    const row = this.#find(accountId, templateId, name)
    if (row === undefined) return { kind: 'no such template' }
    const [id, , , sealed] = row
    if (this.#added.delete(id)) this.#addedByName.delete(nameOf(row))
    else this.#removed.set(id, row)
    if (this.#room.has(accountId)) this.#useRoom(accountId, -1, -sealed.length)
    return { kind: 'template removed', template: this.#open(row) }
  }

  #find(accountId: number, templateId: number | null, name: string | null): TemplateRow | undefined {
    const isAsked = ([id, owner, called]: TemplateRow) =>
      owner === accountId && (templateId === null || id === templateId) && (name === null || called === name)
    const added = templateId === null ? this.#addedByName.get(`${accountId} ${name}`) : this.#added.get(templateId)
    if (added !== undefined && isAsked(added)) return added
    const stored = this.#facts.find(accountId, templateId, name)
    return stored === undefined || !isAsked(stored) || this.#removed.has(stored[0]) ? undefined : stored
  }

  #list(accountId: number, list: TemplateList): readonly TemplateRow[] {
    const { after, limit: most, maxBytes } = list
    // Enough to fill a page after removals.
    const max = most + this.#removed.size
    const stored = this.#facts.list(accountId, list, max)
    const isCut = stored.length < max && sizeOf(stored) > maxBytes
    const end = isCut ? (stored.at(-1)?.[0] ?? 0) : Number.POSITIVE_INFINITY
    const added = [...this.#added.values()].filter(([id, owner]) => {
      return owner === accountId && id > (after ?? 0) && id <= end
    })
    const page = [...stored.filter(([id]) => !this.#removed.has(id)), ...added].sort(([a], [b]) => a - b).slice(0, most)
    return takeFitting(page, maxBytes, ([, , name, sealed]) => name.length + sealed.length).items
  }

  #roomOf(accountId: number): TemplateUsage {
    const known = this.#room.get(accountId)
    if (known !== undefined) return known
    const stored = this.#facts.room(accountId)
    // Templates removed by this transaction are still stored.
    const removed = [...this.#removed.values()].filter(([, owner]) => owner === accountId)
    const room = { count: stored.count - removed.length, bytes: stored.bytes - sizeOf(removed) }
    this.#room.set(accountId, room)
    return room
  }

  #useRoom(accountId: number, count: number, bytes: number): void {
    const room = this.#roomOf(accountId)
    this.#room.set(accountId, { count: room.count + count, bytes: room.bytes + bytes })
  }

  #open([id, accountId, name, sealed]: TemplateRow): SmsTemplate {
    return { id, accountId, name, template: this.#vault.openText(sealed) }
  }
}

function nameOf([, accountId, name]: TemplateRow): string {
  return `${accountId} ${name}`
}

function sizeOf(rows: readonly TemplateRow[]): number {
  return rows.reduce((sum, [, , , sealed]) => sum + sealed.length, 0)
}
