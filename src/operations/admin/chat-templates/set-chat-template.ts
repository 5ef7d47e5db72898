/** Notes a chat-app text of an account, and how far the messenger is with it. */
import { isSenderName } from '../../../contract/sender-name.ts'
import type { AccountId } from '../../../domain/account.ts'
import type { DirectoryRows } from '../../../domain/directory.ts'
import { makeMessageId } from '../../../domain/message-id.ts'
import type { ChatTemplate } from '../../../domain/template.ts'
import type { Store } from '../../../ports/store.ts'
import { ChangeConflict, ChangeRefused } from '../../../ports/store-errors.ts'
import { accountRow } from '../accounts/account-row.ts'

const MAX_TEMPLATE_CHARACTERS = 1_000
/** Between two looks others may change something else. */
const MAX_TRIES = 20

export interface ChatTemplateInput {
  readonly accountId: AccountId
  /** The sender name that it is for. */
  readonly signature: string
  readonly template: string
  readonly status: ChatTemplate['status']
}

/** A text that the account already has gets the status; another is added. Throws a ChangeRefused. */
export async function setChatTemplate(store: Store, input: ChatTemplateInput): Promise<ChatTemplate> {
  const { accountId, signature, template, status } = input
  for (let tries = 1; ; tries += 1) {
    const rows = await store.loadDirectory()
    const id = findChatTemplate(rows, input)?.id ?? makeMessageId(await store.reserveIds(1), accountId)
    const noted: ChatTemplate = { id, accountId, template, signature, status }
    try {
      await changeTemplate(store, noted, rows.revision)
      return noted
    } catch (error) {
      if (!(error instanceof ChangeConflict) || tries === MAX_TRIES) throw error
    }
  }
}

/** At this revision and no other, or the messenger's list and an operator would both add one text. */
export async function changeTemplate(store: Store, template: ChatTemplate, revision: number): Promise<void> {
  await store.change({ kind: 'set chat template', template }, { revision, entries: [], request: null })
}

/** The account's template of this text, if it has one. Throws a ChangeRefused when it could have none. */
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
