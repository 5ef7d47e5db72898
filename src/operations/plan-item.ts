/** One item of a request: found by its `type`, read and planned. An item that is wrong fails alone. */
import { isObject, type JsonObject, writeItemError } from '../contract/envelope.ts'
import { ITEM_ERRORS, notOneOf } from '../contract/error-texts.ts'
import { echoedId } from '../contract/fields.ts'
import { OPERATION_TYPES, SEND_SCHEMAS } from '../contract/operation-schemas.ts'
import { ItemRefused } from '../contract/refused.ts'
import { planBalance } from './balance.ts'
import { planCall } from './call-otp.ts'
import { planTemplate } from './create-template.ts'
import { planTemplateList } from './list-chat-templates.ts'
import type { Planned, Scope } from './planned.ts'
import { planPrice } from './price.ts'
import { planSend } from './send.ts'

type PlanOperation = (scope: Scope, item: JsonObject) => Planned

const OPERATIONS: ReadonlyMap<unknown, PlanOperation> = new Map<unknown, PlanOperation>([
  ...SEND_SCHEMAS.map((schema): [string, PlanOperation] => [
    schema.type,
    (scope, item) => planSend(scope, item, schema),
  ]),
  ['call/otp', planCall],
  ['template/create', planTemplate],
  ['template/chatapp/list', planTemplateList],
  ['balance', planBalance],
  ['price', planPrice],
])

/** Throws a Refused when the item refuses the whole request. */
export function planItem(scope: Scope, item: unknown): Planned {
  if (!isObject(item)) return refuse(null, ITEM_ERRORS.notAnObject)
  const plan = OPERATIONS.get(item.type)
  if (plan === undefined) return refuse(echoedId(item, scope.tools.limits), notOneOf('type', OPERATION_TYPES))
  try {
    return plan(scope, item)
  } catch (error) {
    if (error instanceof ItemRefused) return refuse(echoedId(item, scope.tools.limits), error.message)
    throw error
  }
}

function refuse(id: string | null, error: string): Planned {
  return { draft: { kind: 'written', text: writeItemError(id, error) }, item: null }
}
