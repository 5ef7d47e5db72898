/** `template/delete`: removes an SMS template by name or id. */
import { echoedId, readFields, TEMPLATE_NAMING_FIELDS } from '../../contract/fields/fields.ts'
import type { RequestObject } from '../../contract/request/envelope.ts'
import type { Planned, Scope } from '../request/planned.ts'

/** Throws ItemRefused for an operation that names no template. */
export function planTemplateRemoval(scope: Scope, item: RequestObject): Planned {
  const { limits } = scope.tools
  const { name = null, id = null } = readFields(item, TEMPLATE_NAMING_FIELDS, limits)
  return {
    draft: { kind: 'template removal', id: echoedId(item, limits), field: name === null ? 'id' : 'name' },
    item: { kind: 'template removal', name, templateId: id },
  }
}
