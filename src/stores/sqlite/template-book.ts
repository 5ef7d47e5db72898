/** The SMS templates of all accounts: kept, listed and removed in the order of the request that asks for it. */
import { takeFitting } from '../../domain/answer-size.ts'
import { hasRoom, type SmsTemplate, type TemplateRoom } from '../../domain/template.ts'
import type { ItemOutcome } from '../../ports/store.ts'
import type { TemplateItem } from '../../ports/template-items.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

/** The text is sealed. */
type TemplateRow = [id: number, name: string, template: string]

export class TemplateBook {
  readonly #byName: Statement<TemplateRow>
  readonly #byId: Statement<TemplateRow>
  readonly #list: Statement<TemplateRow>
  readonly #kept: Statement<[count: number, bytes: number]>
  readonly #insert: Statement
  readonly #delete: Statement
  readonly #vault: Vault
  /** What the accounts of one request keep, so that a batch of templates is not counted again for each of them. */
  readonly #room = new Map<number, TemplateRoom>()

  constructor({ database, vault }: Session) {
    this.#vault = vault
    const select = 'SELECT template_id, name, template FROM sms_template WHERE account_id = ?'
    this.#byName = new Statement(database, `${select} AND name = ?`)
    this.#byId = new Statement(database, `${select} AND template_id = ?`)
    this.#list = new Statement(database, `${select} AND template_id > ? ORDER BY template_id LIMIT ?`)
    this.#kept = new Statement(
      database,
      'SELECT count(*), coalesce(sum(octet_length(template)), 0) FROM sms_template WHERE account_id = ?',
    )
    this.#insert = new Statement(
      database,
      'INSERT INTO sms_template (template_id, account_id, name, template) VALUES (?, ?, ?, ?)',
    )
    this.#delete = new Statement(database, 'DELETE FROM sms_template WHERE template_id = ?')
  }

  /** Called before each request: another connection may have changed the templates since, or a commit have failed. */
  forget(): void {
    this.#room.clear()
  }

  take(accountId: SmsTemplate['accountId'], item: TemplateItem): ItemOutcome {
    switch (item.kind) {
      case 'template':
        return this.#keep(item)
      case 'template list': {
        const listed = this.#list.iterate(accountId, item.after ?? 0, item.most)
        const { items } = takeFitting(listed, item.mostBytes, ([, name, sealed]) => name.length + sealed.length)
        return { kind: 'templates', templates: items.map((row) => this.#open(accountId, row)) }
      }
      case 'template removal': {
        const row = this.#find(accountId, item)
        if (row === undefined) return { kind: 'no such template' }
        this.#delete.run(row[0])
        this.#room.delete(accountId)
        return { kind: 'template removed', template: this.#open(accountId, row) }
      }
    }
  }

  #keep({
    template: { id, accountId, name, template },
    most,
  }: Extract<TemplateItem, { kind: 'template' }>): ItemOutcome {
    if (this.#byName.first(accountId, name) !== undefined) return { kind: 'name taken' }
    const kept = this.#room.get(accountId) ?? this.#countKept(accountId)
    const sealed = this.#vault.seal(template)
    if (!hasRoom(kept, sealed.length, most)) return { kind: 'too many templates' }
    this.#insert.run(id, accountId, name, sealed)
    this.#room.set(accountId, { count: kept.count + 1, bytes: kept.bytes + sealed.length })
    return { kind: 'template created' }
  }

  #countKept(accountId: number): TemplateRoom {
    const [count, bytes] = this.#kept.first(accountId) ?? [0, 0]
    return { count, bytes }
  }

  #find(accountId: number, { templateId, name }: Extract<TemplateItem, { kind: 'template removal' }>) {
    const row = templateId === null ? this.#byName.first(accountId, name) : this.#byId.first(accountId, templateId)
    return name === null || row?.[1] === name ? row : undefined
  }

  #open(accountId: SmsTemplate['accountId'], [id, name, template]: TemplateRow): SmsTemplate {
    return { id, accountId, name, template: this.#vault.openText(template) }
  }
}
