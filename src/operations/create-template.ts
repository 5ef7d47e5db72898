/** `template/create`: creates an SMS template and returns its length in characters and parts. */
import type { JsonObject } from '../contract/envelope.ts'
import { ITEM_ERRORS } from '../contract/error-texts.ts'
import { echoedId, readFields, TEMPLATE_FIELDS } from '../contract/fields.ts'
import { ItemRefused } from '../contract/refused.ts'
import { hasHiddenCharacters } from '../domain/hidden-characters.ts'
import { describeTemplate } from './describe-template.ts'
import type { Planned, Scope } from './planned.ts'

/** Throws ItemRefused for an invalid template. */
export function planTemplate(scope: Scope, item: JsonObject): Planned {
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
