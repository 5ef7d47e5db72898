/** `template/chatapp/list`: the account's chat-app templates, whatever their status. */
import { writeResult } from '../contract/envelope.ts'
import type { Planned, Scope } from './planned.ts'

export function planTemplateList({ account, directory, countList }: Scope): Planned {
  countList()
  const templates = directory
    .chatTemplatesOf(account.id)
    .map(({ id, template, signature, status }) => ({ id, template, signature, status }))
  return { draft: { kind: 'written', text: writeResult(templates) }, item: null }
}
