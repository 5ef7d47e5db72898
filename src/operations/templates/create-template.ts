/** `template/create`: creates an SMS template and returns its length in characters and parts. */
import { echoedId, readFields, TEMPLATE_FIELDS } from '../../contract/fields/fields.ts'
import type { RequestObject } from '../../contract/request/envelope.ts'
import { ITEM_ERRORS } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import { hasHiddenCharacters } from '../../domain/text/hidden-characters.ts'
import { describeTemplate } from '../request/answer.ts'
import type { Planned, Scope } from '../request/planned.ts'

/** Throws ItemRefused for an invalid template. */
export function planTemplate(scope: Scope, item: RequestObject): Planned {
  const { limits } = scope.tools
  const { template, name } = readFields(item, TEMPLATE_FIELDS, limits)
  if (hasHiddenCharacters(name)) throw new ItemRefused(ITEM_ERRORS.nameHidden)
  const id = scope.newId(scope.account.id)
  return {
    draft: { kind: 'template', id: echoedId(item, limits), result: describeTemplate({ id, template, name }) },
    item: {
      kind: 'template',
      template: { id, accountId: scope.account.id, name, template },
      max: { count: limits.templatesKept, bytes: limits.templateBytesKept },
    },
  }
}
