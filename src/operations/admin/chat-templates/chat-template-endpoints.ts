/** Chat-app templates of accounts: recorded by hand, submitted for approval, listed with their status. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import type { TemplateDraft } from '../../../ports/carriers/carrier.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { ACCOUNT, CARRIER, OPERATORS, PAGING, pageOf, READERS, SENDER_NAME, whole } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { APPROVE_CHAT_TEMPLATE, ChatTemplateView, SET_CHAT_TEMPLATE, TEXT, viewTemplate } from './chat-templates.ts'
import { submitChatTemplate } from './submit-chat-template.ts'

const ClientTemplate = Type.Omit(ChatTemplateView, ['carrier'])

export const CHAT_TEMPLATE_ENDPOINTS = [
  endpoint({
    name: 'listChatTemplates',
    method: 'GET',
    path: '/accounts/{account}/chat-templates',
    command: 'chat-template list',
    summary: 'list the chat-app templates of an account and their status',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account', result: pageOf(ClientTemplate) },
    params: { account: ACCOUNT },
    query: PAGING,
    result: pageOf(ChatTemplateView),
    run: async ({ store, live }, { account, ...paging }) => {
      const rows = await store.loadDirectory()
      const { id } = accountRow(rows, toAccountId(account))
      const templates = rows.chatTemplates.filter((each) => each.accountId === id)
      return takePage(templates, paging, (each) => viewTemplate(each, live))
    },
  }),
  SET_CHAT_TEMPLATE,
  APPROVE_CHAT_TEMPLATE,
  endpoint({
    name: 'submitChatTemplate',
    method: 'POST',
    path: '/accounts/{account}/chat-templates/submit',
    needsGateway: true,
    command: 'chat-template submit',
    summary: 'submit a chat-app template to the messenger for approval; needs a running gateway',
    may: OPERATORS,
    params: { account: ACCOUNT },
    body: {
      carrier: CARRIER,
      signature: SENDER_NAME,
      template: TEXT,
      name: Type.String({
        pattern: '^[a-z0-9_]{1,512}$',
        description: 'name at the messenger: a to z, 0 to 9 and _',
        examples: ['order_comes'],
      }),
      language: Type.String({
        pattern: '^[a-z]{2,3}(_[A-Z]{2,3})?$',
        description: 'language of the text, such as en or pt_BR',
        examples: ['en'],
      }),
      category: Type.Enum(['utility', 'marketing'], { description: 'category at the messenger' }),
      examples: Type.Optional(
        Type.Record(Type.String({ maxLength: 60 }), Type.String({ minLength: 1, maxLength: 1_000 }), {
          description: 'an example for each placeholder: {"1": "Monday"}',
        }),
      ),
      lifetime: Type.Optional(
        whole({
          minimum: 1,
          description: 'seconds for which the messenger tries to deliver its messages; by default set by the messenger',
        }),
      ),
      footer: Type.Optional(Type.String({ minLength: 1, maxLength: 60, description: 'a line below the text' })),
      replies: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 25 }), {
          maxItems: 9,
          description: 'captions of buttons that answer: Yes,No',
        }),
      ),
      button: Type.Optional(
        Type.String({ minLength: 1, maxLength: 25, description: 'caption of a button that opens `link`' }),
      ),
      link: Type.Optional(
        Type.String({ maxLength: 2_000, description: 'address that the button opens, which may end in {{1}}' }),
      ),
      link_example: Type.Optional(Type.String({ maxLength: 2_000, description: 'an example of a complete address' })),
    },
    result: ChatTemplateView,
    run: async (tools, input) => {
      const { account, carrier, signature, template, examples = {}, lifetime } = input
      const { name, language, category, footer, replies } = input
      const about = { name, language, category, examples, footer, replies }
      const draft = { ...about, lifetimeSeconds: lifetime, button: readButton(input) }
      const submission = { accountId: toAccountId(account), carrier, signature, template, draft }
      return viewTemplate(await submitChatTemplate(tools, submission), tools.live)
    },
  }),
]

function readButton({
  button,
  link,
  link_example,
}: {
  readonly button?: string
  readonly link?: string
  readonly link_example?: string
}): TemplateDraft['button'] {
  if ((button === undefined) !== (link === undefined)) {
    throw new ChangeRefused(`${button === undefined ? 'button' : 'link'}: a button needs both a caption and a link`)
  }
  if (button !== undefined && link !== undefined) return { caption: button, link, example: link_example }
  if (link_example !== undefined) throw new ChangeRefused('link_example: allowed only with a link')
  return undefined
}
