/** Records a chat-app template of an account and its approval status. */
import Type, { type Static } from 'typebox'
import { isSenderName } from '../../../contract/fields/kinds.ts'
import { hasApprovedSender, type Sender } from '../../../domain/accounts/sender.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import { makeMessageId } from '../../../domain/ids/message-id.ts'
import { CHAT_TEMPLATE_STATUSES, type ChatTemplate } from '../../../domain/text/template.ts'
import { ChangeConflict, ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Store } from '../../../ports/stores/store.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { ACCOUNT, nullable, OPERATORS, SENDER_NAME, whole } from '../fields/shapes.ts'

const STATUS = Type.Enum([...CHAT_TEMPLATE_STATUSES], { description: 'status at the messenger' })
export const TEXT = Type.String({ minLength: 1, maxLength: 1_000, description: 'text with placeholders such as {{1}}' })

export const ChatTemplateView = Type.Object({
  template_id: whole(),
  account: ACCOUNT,
  signature: SENDER_NAME,
  status: STATUS,
  carrier: nullable(Type.String(), { description: 'carrier whose list has it; null if recorded by hand' }),
  reason: nullable(Type.String(), {
    description: "the messenger's reason why it cannot be sent; null without one, and without a running gateway",
  }),
  template: TEXT,
})

const MAX_TEMPLATE_CHARACTERS = 1_000

/** The directory may change between reading and writing. */
const MAX_TRIES = 20

export const CHAT_TEMPLATE_CHANGES = {
  'set chat template': {
    what: 'chat-app templates',
    may: OPERATORS,
    audit: ({ template: { id, accountId, signature, status } }, { chatTemplates }) => {
      const before = chatTemplates.find((each) => each.id === id)
      const shown = before === undefined ? null : { status: before.status }
      return entry(`chat template ${id} of account ${accountId}`, shown, { signature, status })
    },
  },
} satisfies Changes

export const SET_CHAT_TEMPLATE = endpoint({
  name: 'setChatTemplate',
  method: 'POST',
  path: '/accounts/{account}/chat-templates',
  command: 'chat-template set',
  summary: 'record a chat-app template of an account and its status at the messenger; new without a status',
  may: OPERATORS,
  params: { account: ACCOUNT },
  body: { signature: SENDER_NAME, template: TEXT, status: Type.Optional(STATUS) },
  result: ChatTemplateView,
  run: async ({ store, live }, { account, status = 'new', ...input }) => {
    return viewTemplate(await setChatTemplate(store, { ...input, status, accountId: toAccountId(account) }), live)
  },
})

export const APPROVE_CHAT_TEMPLATE = endpoint({
  name: 'approveChatTemplate',
  method: 'POST',
  path: '/accounts/{account}/chat-templates/approve',
  command: 'chat-template approve',
  summary: 'record that the messenger has approved a chat-app template',
  may: OPERATORS,
  params: { account: ACCOUNT },
  body: { signature: SENDER_NAME, template: TEXT },
  result: ChatTemplateView,
  run: async ({ store, live }, { account, ...input }) => {
    return viewTemplate(
      await setChatTemplate(store, { ...input, status: 'approved', accountId: toAccountId(account) }),
      live,
    )
  },
})

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
    if (status === 'approved') checkTemplateSignature(rows.senders, accountId, signature)
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
export function checkTemplateSignature(senders: readonly Sender[], accountId: AccountId, signature: string): void {
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

export function viewTemplate(
  { id, accountId, carrierId, ...template }: ChatTemplate,
  live: AdminTools['live'],
): Static<typeof ChatTemplateView> {
  const listed = carrierId === undefined ? null : (live?.carrier(carrierId)?.templates?.() ?? null)
  const found = listed?.templates.find(({ text, status }) => text === template.template && status === template.status)
  return { template_id: id, account: accountId, carrier: carrierId ?? null, reason: found?.reason ?? null, ...template }
}
