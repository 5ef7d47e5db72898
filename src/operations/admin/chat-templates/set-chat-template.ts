/** Records a chat-app template of an account and its approval status. */
import { isSenderName } from '../../../contract/fields/sender-name.ts'
import { hasApprovedSender, type Sender } from '../../../domain/accounts/sender.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { makeMessageId } from '../../../domain/ids/message-id.ts'
import type { ChatTemplate } from '../../../domain/text/template.ts'
import { ChangeConflict, ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Store } from '../../../ports/stores/store.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { accountRow } from '../fields/account-row.ts'
import { OPERATORS } from '../fields/shapes.ts'

const MAX_TEMPLATE_CHARACTERS = 1_000
/** The directory may change between reading and writing. */
const MAX_TRIES = 20

export const CHAT_TEMPLATE_CHANGES = {
  'set chat template': {
    ...{ what: 'chat-app templates', may: OPERATORS },
    audit: ({ template: { id, accountId, signature, status } }, { chatTemplates }) => {
      const before = chatTemplates.find((each) => each.id === id)
      const shown = before === undefined ? null : { status: before.status }
      return entry(`chat template ${id} of account ${accountId}`, shown, { signature, status })
    },
  },
} satisfies Changes

export interface ChatTemplateInput {
  readonly accountId: AccountId
  /** Sender name of the template. */
  readonly signature: string
  readonly template: string
  readonly status: ChatTemplate['status']
}

/** Sets the status of the template with this text, or adds one. Throws ChangeRefused. */
export async function setChatTemplate(store: Store, input: ChatTemplateInput): Promise<ChatTemplate> {
  const { accountId, signature, template, status } = input
  for (let tries = 1; ; tries += 1) {
    const rows = await store.loadDirectory()
    const known = findChatTemplate(rows, input)
    if (status === 'approved') checkSignature(rows.senders, accountId, signature)
    const id = known?.id ?? makeMessageId(await store.reserveIds(1), accountId)
    const noted: ChatTemplate = { id, accountId, template, signature, status }
    try {
      await changeTemplate(store, noted, rows.revision)
      return noted
    } catch (error) {
      if (!(error instanceof ChangeConflict) || tries === MAX_TRIES) throw error
    }
  }
}

/** Throws ChangeRefused if messages with this signature would be refused. */
export function checkSignature(senders: readonly Sender[], accountId: AccountId, signature: string): void {
  if (hasApprovedSender(senders, { accountId, channel: 'chatapp', name: signature })) return
  throw new ChangeRefused(`account ${accountId} has no approved sender ${signature} for chatapp`)
}

/** Requires this exact revision: otherwise the messenger's list and an operator could both add the same text. */
export async function changeTemplate(store: Store, template: ChatTemplate, revision: number): Promise<void> {
  await store.change({ kind: 'set chat template', template }, { revision, entries: [], request: null })
}

/** Returns the account's template with this text, if any. Throws ChangeRefused if the account cannot have it. */
export function findChatTemplate(
  rows: Pick<DirectoryRows, 'accounts' | 'chatTemplates'>,
  { accountId, signature, template }: Omit<ChatTemplateInput, 'status'>,
): ChatTemplate | undefined {
  accountRow(rows, accountId)
  if (!isSenderName('chatapp', signature)) throw new ChangeRefused(`${JSON.stringify(signature)} cannot be a sender`)
  if (template.trim() === '' || template.length > MAX_TEMPLATE_CHARACTERS || !template.isWellFormed()) {
    throw new ChangeRefused(`a chat-app template must have 1 to ${MAX_TEMPLATE_CHARACTERS} characters`)
  }
  return rows.chatTemplates.find(
    (each) => each.accountId === accountId && each.signature === signature && each.template === template,
  )
}
