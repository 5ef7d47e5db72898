/** The SMS templates of accounts: kept, listed and removed in the order of the requests that ask for it. */
import type { AccountId } from '../../domain/account.ts'
import { bucketOf } from '../../domain/message-id.ts'
import type { SmsTemplate } from '../../domain/template.ts'
import type { AcceptItem, AcceptRequest, ItemOutcome } from '../../ports/store.ts'
import type { Cell } from '../rows/cell.ts'
import { ByBucket } from './by-bucket.ts'
import type { Session } from './session.ts'
import { inBucket, insertion, unnest } from './statement.ts'

export type TemplateItem = Extract<AcceptItem, { kind: 'template' | 'template list' | 'template removal' }>

/** The text is sealed. */
type TemplateRow = [id: number, accountId: number, name: string, template: string]

const COLUMNS = 'template_id, account_id, name, template'

const BY_NAME = inBucket<TemplateRow>(
  `SELECT ${COLUMNS} FROM sms_template
   JOIN ${unnest({ account_id: 'bigint', name: 'text' }, 2)} USING (account_id, name) WHERE bucket = $1`,
)
const BY_ID = inBucket<TemplateRow>(
  `SELECT ${COLUMNS} FROM sms_template
   JOIN ${unnest({ account_id: 'bigint', template_id: 'bigint' }, 2)} USING (account_id, template_id) WHERE bucket = $1`,
)
const LIST = inBucket<TemplateRow>(
  `SELECT ${COLUMNS} FROM sms_template
   WHERE bucket = $1 AND account_id = $2 AND template_id > $3 ORDER BY template_id LIMIT $4`,
)
const INSERT = insertion('sms_template', {
  account_id: 'bigint',
  name: 'text',
  template_id: 'bigint',
  template: 'text',
})
const DELETE = inBucket(
  `DELETE FROM sms_template USING ${unnest({ account_id: 'bigint', name: 'text' }, 2)}
   WHERE sms_template.bucket = $1 AND sms_template.account_id = new.account_id AND sms_template.name = new.name`,
)

interface Asked {
  readonly accountId: AccountId
  readonly item: TemplateItem
}

function isTemplateItem(item: AcceptItem): item is TemplateItem {
  return item.kind === 'template' || item.kind === 'template list' || item.kind === 'template removal'
}

export class TemplateBook {
  readonly #session: Session
  /** As the requests so far have left them; those that nobody asks for are not here. */
  readonly #present = new Map<number, SmsTemplate>()
  readonly #removed = new Map<number, SmsTemplate>()
  /** Ids of new ones. */
  readonly #added = new Set<number>()

  private constructor(session: Session) {
    this.#session = session
  }

  /** Reads what the items of these requests may be about. The accounts are locked by then. */
  static async open(session: Session, requests: readonly AcceptRequest[]): Promise<TemplateBook> {
    const book = new TemplateBook(session)
    const asked = requests.flatMap(({ accountId, items }) =>
      items.filter(isTemplateItem).map((item) => ({ accountId, item })),
    )
    if (asked.length > 0) await book.#read(asked)
    return book
  }

  take(accountId: SmsTemplate['accountId'], item: TemplateItem): ItemOutcome {
    switch (item.kind) {
      case 'template':
        return this.#keep(item.template)
      case 'template list':
        return { kind: 'templates', templates: this.#list(accountId, item.after ?? 0).slice(0, item.most) }
      case 'template removal':
        return this.#remove(accountId, item)
    }
  }

  write(): void {
    const [added, removed] = [new ByBucket<Cell[]>(), new ByBucket<Cell[]>()]
    const { vault } = this.#session
    for (const [id, { accountId, name }] of this.#removed) {
      if (!this.#added.has(id)) removed.add(bucketOf(accountId), [accountId, name])
    }
    for (const id of this.#added) {
      const kept = this.#present.get(id)
      if (kept === undefined) continue
      added.add(bucketOf(kept.accountId), [kept.accountId, kept.name, id, vault.seal(kept.template)])
    }
    for (const [bucket, rows] of removed.entries()) this.#session.update(DELETE, bucket, rows)
    for (const [bucket, rows] of added.entries()) this.#session.insert(INSERT, bucket, rows)
  }

  async #read(asked: readonly Asked[]): Promise<void> {
    const [names, ids] = [new ByBucket<Cell[]>(), new ByBucket<Cell[]>()]
    for (const { accountId, item } of asked) {
      const bucket = bucketOf(accountId)
      if (item.kind === 'template') names.add(bucket, [accountId, item.template.name])
      if (item.kind !== 'template removal') continue
      if (item.templateId === null) names.add(bucket, [accountId, item.name])
      else ids.add(bucket, [accountId, item.templateId])
    }
    // Enough that a page is full although some of it is removed before it is listed.
    const removals = asked.filter(({ item }) => item.kind === 'template removal').length
    const lists = asked.flatMap(({ accountId, item }) => {
      if (item.kind !== 'template list') return []
      return this.#session.ask(LIST, bucketOf(accountId), accountId, item.after ?? 0, item.most + removals)
    })
    const read = await Promise.all([
      ...names.entries().map(([bucket, rows]) => this.#session.askFor(BY_NAME, bucket, rows)),
      ...ids.entries().map(([bucket, rows]) => this.#session.askFor(BY_ID, bucket, rows)),
      ...lists,
    ])
    const { vault } = this.#session
    for (const [id, accountId, name, template] of read.flat()) {
      this.#present.set(id, { id, accountId: accountId as AccountId, name, template: vault.openText(template) })
    }
  }

  #keep(template: SmsTemplate): ItemOutcome {
    if (this.#find(template.accountId, { templateId: null, name: template.name }) !== undefined) {
      return { kind: 'name taken' }
    }
    this.#present.set(template.id, template)
    this.#added.add(template.id)
    return { kind: 'template created' }
  }

  #remove(accountId: number, item: Extract<TemplateItem, { kind: 'template removal' }>): ItemOutcome {
    const template = this.#find(accountId, item)
    if (template === undefined) return { kind: 'no such template' }
    this.#present.delete(template.id)
    this.#removed.set(template.id, template)
    return { kind: 'template removed', template }
  }

  #find(accountId: number, { templateId, name }: { readonly templateId: number | null; readonly name: string | null }) {
    for (const each of this.#present.values()) {
      if (each.accountId !== accountId || (name !== null && each.name !== name)) continue
      if (templateId === null || each.id === templateId) return each
    }
    return undefined
  }

  #list(accountId: number, after: number): readonly SmsTemplate[] {
    const mine = [...this.#present.values()].filter((each) => each.accountId === accountId && each.id > after)
    return mine.sort((a, b) => a.id - b.id)
  }
}
