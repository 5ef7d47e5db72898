/**
 * Keeps the chat-app templates of accounts equal to what a messenger lists: what is new is added, what changed follows,
 * what is no longer listed is removed. Templates that an operator noted by hand are left alone until a list has them.
 */
import type { AccountId } from '../../../domain/account.ts'
import type { DirectoryRows } from '../../../domain/directory.ts'
import { makeMessageId } from '../../../domain/message-id.ts'
import { type ChatTemplate, followStatus } from '../../../domain/template.ts'
import type { ListedTemplates } from '../../../ports/carrier.ts'
import type { Store } from '../../../ports/store.ts'
import { ChangeConflict } from '../../../ports/store-errors.ts'
import { changeTemplate } from './set-chat-template.ts'

/** Written at one time; the rest follows with the next call. */
const MAX_CHANGES = 200

/** Returns how many there were to write; fewer are written when somebody else changes something meanwhile. */
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

/** A template as it should be; null for one that has no id yet. */
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

/** A text that stands in the list twice, in two languages or under two names, can be used when one of them can. */
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
