/** `template/list`: the account's SMS templates, oldest first, in pages. */
import { readFields, TEMPLATE_LIST_FIELDS } from '../../contract/fields/fields.ts'
import type { RequestObject } from '../../contract/request/envelope.ts'
import { MAX_LIST_BYTES } from '../../domain/structures/answer-size.ts'
import type { Planned, Scope } from '../request/planned.ts'

/** Throws ItemRefused for an `after` that is not an id. */
export function planTemplatePage(scope: Scope, item: RequestObject): Planned {
  scope.lists.count(MAX_LIST_BYTES)
  const { limits } = scope.tools
  const { after = null } = readFields(item, TEMPLATE_LIST_FIELDS, limits)
  return {
    draft: { kind: 'templates' },
    item: { kind: 'template list', after, limit: limits.templatesListed, maxBytes: MAX_LIST_BYTES },
  }
}
