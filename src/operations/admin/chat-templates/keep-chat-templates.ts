/**
 * Synchronizes chat-app templates of accounts with a messenger's list: adds new ones, updates changed ones, removes
 * those no longer listed. Templates recorded by hand stay unchanged until a list contains them.
 */
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { makeMessageId } from '../../../domain/ids/message-id.ts'
import { type ChatTemplate, followStatus } from '../../../domain/text/template.ts'
import type { ListedTemplates } from '../../../ports/carriers/carrier.ts'
import { ChangeConflict } from '../../../ports/records/store-errors.ts'
import type { Store } from '../../../ports/stores/store.ts'
import { changeTemplate } from './chat-templates.ts'

/** Maximum changes per call; the next call writes the rest. */
const MAX_CHANGES = 200

/** Returns how many changes were due; fewer are written after a concurrent change. */
export async function keepChatTemplates(store: Store, carrierId: string, listed: ListedTemplates): Promise<number> {
  const rows = await store.loadDirectory()
  const changes = compareTemplates(rows, carrierId, listed).slice(0, MAX_CHANGES)
  const added = changes.filter(({ id }) => id === null).length
  let counter = added === 0 ? 0 : await store.reserveIds(added)
  let { revision } = rows
  try {
    for (const { id, ...rest } of changes) {
      const template: ChatTemplate = { ...rest, id: id ?? makeMessageId(counter, rest.accountId) }
      if (id === null) counter += 1
      await changeTemplate(store, template, revision)
      revision += 1
    }
  } catch (error) {
    if (!(error instanceof ChangeConflict)) throw error
  }
  return changes.length
}

/** The template as it should be; a null id for a new one. */
type Wanted = Omit<ChatTemplate, 'id'> & { readonly id: number | null }

function compareTemplates(
  rows: Pick<DirectoryRows, 'senders' | 'chatTemplates'>,
  carrierId: string,
  listed: ListedTemplates,
): readonly Wanted[] {
  const statuses = statusesOf(listed)
  const owners = rows.senders.filter(
    ({ channel, name, state }) => channel === 'chatapp' && state === 'approved' && listed.senders.includes(name),
  )
  const known = new Map(rows.chatTemplates.map((each) => [keyOf(each), each]))
  const wanted = owners.flatMap(({ accountId, name: signature }) =>
    [...statuses].map(([template, status]) => ({ accountId, signature, template, status, carrierId })),
  )
  const kept = new Set(wanted.map(keyOf))
  return [
    ...wanted.flatMap((each): Wanted[] => {
      const row = known.get(keyOf(each))
      if (row === undefined) return each.status === 'removed' ? [] : [{ ...each, id: null }]
      const status = followStatus(row.status, each.status)
      return row.status === status && row.carrierId === carrierId ? [] : [{ ...each, status, id: row.id }]
    }),
    ...rows.chatTemplates
      .filter((row) => row.carrierId === carrierId && row.status !== 'removed' && !kept.has(keyOf(row)))
      .map((row): Wanted => ({ ...row, status: 'removed' })),
  ]
}

/** A text listed twice, in two languages or under two names, is usable if either is. */
function statusesOf({ templates }: ListedTemplates): ReadonlyMap<string, ChatTemplate['status']> {
  const statuses = new Map<string, ChatTemplate['status']>()
  for (const { text, status } of templates) {
    const other = statuses.get(text)
    if (other === undefined || (other !== 'approved' && other !== 'submitted') || status === 'approved') {
      statuses.set(text, status)
    }
  }
  return statuses
}

function keyOf(template: {
  readonly accountId: AccountId
  readonly signature: string
  readonly template: string
}): string {
  return JSON.stringify([template.accountId, template.signature, template.template])
}
