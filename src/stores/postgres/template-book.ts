/** The SMS templates of accounts: kept, listed and removed in the order of the requests that ask for it. */
import type { AccountId } from '../../domain/account.ts'
import { takeFitting } from '../../domain/answer-size.ts'
import { bucketOf } from '../../domain/message-id.ts'
import { hasRoom, type SmsTemplate, type TemplateRoom } from '../../domain/template.ts'
import type { AcceptItem, AcceptRequest, ItemOutcome } from '../../ports/store.ts'
import type { TemplateItem, TemplateList } from '../../ports/template-items.ts'
import type { Cell } from '../rows/cell.ts'
import { ByBucket } from './by-bucket.ts'
import type { Session } from './session.ts'
import { inBucket, insertion, unnest } from './statement.ts'

const NOTHING: TemplateRoom = { count: 0, bytes: 0 }

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
/** Up to the first whose text no longer fits. */
const LIST = inBucket<TemplateRow>(
  `SELECT ${COLUMNS} FROM (
     SELECT ${COLUMNS}, sum(octet_length(template)) OVER (ORDER BY template_id) - octet_length(template) AS bytes_before
     FROM sms_template WHERE bucket = $1 AND account_id = $2 AND template_id > $3 ORDER BY template_id LIMIT $4
   ) AS listed WHERE bytes_before <= $5::bigint ORDER BY template_id`,
)
const KEPT = inBucket<[accountId: number, count: number, bytes: number]>(
  `SELECT account_id, count(*), sum(octet_length(template)) FROM sms_template
   WHERE bucket = $1 AND account_id = ANY ($2::bigint[]) GROUP BY account_id`,
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

/** With the text as it is stored. */
interface KeptTemplate extends SmsTemplate {
  readonly sealed: string
}

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
  readonly #present = new Map<number, KeptTemplate>()
  readonly #removed = new Map<number, SmsTemplate>()
  /** Ids of new ones. */
  readonly #added = new Set<number>()
  /** The last id that was read for a list whose texts did not all fit: what stands behind it is not here. */
  readonly #ends = new Map<TemplateList, number>()
  /** What the accounts that get new ones keep, as the requests so far have left it. */
  readonly #room = new Map<number, TemplateRoom>()

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
        return this.#keep(item)
      case 'template list':
        return { kind: 'templates', templates: this.#list(accountId, item) }
      case 'template removal':
        return this.#remove(accountId, item)
    }
  }

  write(): void {
    const [added, removed] = [new ByBucket<Cell[]>(), new ByBucket<Cell[]>()]
    for (const [id, { accountId, name }] of this.#removed) {
      if (!this.#added.has(id)) removed.add(bucketOf(accountId), [accountId, name])
    }
    for (const id of this.#added) {
      const kept = this.#present.get(id)
      if (kept === undefined) continue
      added.add(bucketOf(kept.accountId), [kept.accountId, kept.name, id, kept.sealed])
    }
    for (const [bucket, rows] of removed.entries()) this.#session.update(DELETE, bucket, rows)
    for (const [bucket, rows] of added.entries()) this.#session.insert(INSERT, bucket, rows)
  }

  async #read(asked: readonly Asked[]): Promise<void> {
    const [names, ids, counted] = [new ByBucket<Cell[]>(), new ByBucket<Cell[]>(), new ByBucket<number>()]
    for (const { accountId, item } of asked) {
      const bucket = bucketOf(accountId)
      if (item.kind === 'template') {
        names.add(bucket, [accountId, item.template.name])
        counted.add(bucket, accountId)
      }
      if (item.kind !== 'template removal') continue
      if (item.templateId === null) names.add(bucket, [accountId, item.name])
      else ids.add(bucket, [accountId, item.templateId])
    }
    // Enough that a page is full although some of it is removed before it is listed.
    const removals = asked.filter(({ item }) => item.kind === 'template removal').length
    const lists = asked.flatMap(({ accountId, item }) => (item.kind === 'template list' ? [{ accountId, item }] : []))
    const [room, ...read] = await Promise.all([
      Promise.all(counted.entries().map(([bucket, accounts]) => this.#session.ask(KEPT, bucket, accounts))),
      ...names.entries().map(([bucket, rows]) => this.#session.askFor(BY_NAME, bucket, rows)),
      ...ids.entries().map(([bucket, rows]) => this.#session.askFor(BY_ID, bucket, rows)),
      ...lists.map(({ accountId, item }) => this.#readList(accountId, item, item.most + removals)),
    ])
    for (const [accountId, count, bytes] of room.flat()) this.#room.set(accountId, { count, bytes })
    const { vault } = this.#session
    for (const [id, accountId, name, sealed] of read.flat()) {
      const template = vault.openText(sealed)
      this.#present.set(id, { id, accountId: accountId as AccountId, name, template, sealed })
    }
  }

  async #readList(accountId: AccountId, list: TemplateList, most: number): Promise<readonly TemplateRow[]> {
    const { after, mostBytes } = list
    const rows = await this.#session.ask(LIST, bucketOf(accountId), accountId, after ?? 0, most, mostBytes)
    const bytes = rows.reduce((sum, [, , , sealed]) => sum + sealed.length, 0)
    if (bytes > mostBytes) this.#ends.set(list, rows.at(-1)?.[0] ?? 0)
    return rows
  }

  #keep({ template, most }: Extract<TemplateItem, { kind: 'template' }>): ItemOutcome {
    const { id, accountId, name } = template
    if (this.#find(accountId, { templateId: null, name }) !== undefined) return { kind: 'name taken' }
    const kept = this.#room.get(accountId) ?? NOTHING
    const sealed = this.#session.vault.seal(template.template)
    if (!hasRoom(kept, sealed.length, most)) return { kind: 'too many templates' }
    this.#room.set(accountId, { count: kept.count + 1, bytes: kept.bytes + sealed.length })
    this.#present.set(id, { ...template, sealed })
    this.#added.add(id)
    return { kind: 'template created' }
  }

  #remove(accountId: number, item: Extract<TemplateItem, { kind: 'template removal' }>): ItemOutcome {
    const found = this.#find(accountId, item)
    if (found === undefined) return { kind: 'no such template' }
    const { sealed, ...template } = found
    const kept = this.#room.get(accountId)
    if (kept !== undefined) {
      this.#room.set(accountId, { count: kept.count - 1, bytes: kept.bytes - sealed.length })
    }
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

  #list(accountId: number, list: TemplateList): readonly SmsTemplate[] {
    const { after, most, mostBytes } = list
    const end = this.#ends.get(list) ?? Number.POSITIVE_INFINITY
    const mine = [...this.#present.values()]
      .filter((each) => each.accountId === accountId && each.id > (after ?? 0) && each.id <= end)
      .sort((a, b) => a.id - b.id)
      .slice(0, most)
    const { items } = takeFitting(mine, mostBytes, ({ sealed, name }) => sealed.length + name.length)
    return items.map(({ sealed: _, ...template }) => template)
  }
}
