/** `template/chatapp/list`: the account's chat-app templates with any status. */
import { writeResult } from '../../contract/request/envelope.ts'
import type { Planned, Scope } from '../request/planned.ts'

export function planTemplateList({ account, directory, lists }: Scope): Planned {
  const kept = directory.chatTemplatesOf(account.id)
  lists.count(kept.reduce((bytes, { template, signature }) => bytes + template.length + signature.length, 0))
  const templates = kept.map(({ id, template, signature, status }) => ({ id, template, signature, status }))
  return { draft: { kind: 'written', text: writeResult(templates) }, item: null }
}
