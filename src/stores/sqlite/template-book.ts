/** The SMS templates of all accounts: kept, listed and removed in the order of the request that asks for it. */
import type { SmsTemplate } from '../../domain/template.ts'
import type { AcceptItem, ItemOutcome } from '../../ports/store.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

export type TemplateItem = Extract<AcceptItem, { kind: 'template' | 'template list' | 'template removal' }>

/** The text is sealed. */
type TemplateRow = [id: number, name: string, template: string]

export class TemplateBook {
  readonly #byName: Statement<TemplateRow>
  readonly #byId: Statement<TemplateRow>
  readonly #list: Statement<TemplateRow>
  readonly #insert: Statement
  readonly #delete: Statement
  readonly #vault: Vault

  constructor({ database, vault }: Session) {
    this.#vault = vault
    const select = 'SELECT template_id, name, template FROM sms_template WHERE account_id = ?'
    this.#byName = new Statement(database, `${select} AND name = ?`)
    this.#byId = new Statement(database, `${select} AND template_id = ?`)
    this.#list = new Statement(database, `${select} AND template_id > ? ORDER BY template_id LIMIT ?`)
    this.#insert = new Statement(
      database,
      'INSERT INTO sms_template (template_id, account_id, name, template) VALUES (?, ?, ?, ?)',
    )
    this.#delete = new Statement(database, 'DELETE FROM sms_template WHERE template_id = ?')
  }

  take(accountId: SmsTemplate['accountId'], item: TemplateItem): ItemOutcome {
    switch (item.kind) {
      case 'template':
        return this.#keep(item.template)
      case 'template list': {
        const rows = this.#list.all(accountId, item.after ?? 0, item.most)
        return { kind: 'templates', templates: rows.map((row) => this.#open(accountId, row)) }
      }
      case 'template removal': {
        const row = this.#find(accountId, item)
        if (row === undefined) return { kind: 'no such template' }
        this.#delete.run(row[0])
        return { kind: 'template removed', template: this.#open(accountId, row) }
      }
    }
  }

  #keep({ id, accountId, name, template }: SmsTemplate): ItemOutcome {
    if (this.#byName.first(accountId, name) !== undefined) return { kind: 'name taken' }
    this.#insert.run(id, accountId, name, this.#vault.seal(template))
    return { kind: 'template created' }
  }

  #find(accountId: number, { templateId, name }: Extract<TemplateItem, { kind: 'template removal' }>) {
    const row = templateId === null ? this.#byName.first(accountId, name) : this.#byId.first(accountId, templateId)
    return name === null || row?.[1] === name ? row : undefined
  }

  #open(accountId: SmsTemplate['accountId'], [id, name, template]: TemplateRow): SmsTemplate {
    return { id, accountId, name, template: this.#vault.openText(template) }
  }
}
