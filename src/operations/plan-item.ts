/** One item of a request: found by its `type`, read and planned. An item that is wrong fails alone. */
import { isObject, type JsonObject, writeItemError } from '../contract/envelope.ts'
import { ITEM_ERRORS, needsScope, notOneOf } from '../contract/error-texts.ts'
import { echoedId } from '../contract/fields.ts'
import { OPERATION_TYPES, SEND_SCHEMAS } from '../contract/operation-schemas.ts'
import { isLiveOnly, scopesOf } from '../contract/operation-scopes.ts'
import { ItemRefused } from '../contract/refused.ts'
import type { KeyScope } from '../domain/api-key.ts'
import { planBalance } from './balance.ts'
import { planCall } from './call-otp.ts'
import { planCancel } from './cancel.ts'
import { planTemplate } from './create-template.ts'
import { planTemplateRemoval } from './delete-template.ts'
import { planTemplateList } from './list-chat-templates.ts'
import { planTemplatePage } from './list-templates.ts'
import type { Inquiry, Planned, Scope } from './planned.ts'
import { planPrice } from './price.ts'
import { planSend } from './send.ts'
import { planStatus } from './status.ts'

type PlanOperation = (scope: Scope, item: JsonObject) => Planned | Inquiry

interface Operation {
  readonly plan: PlanOperation
  readonly scopes: readonly KeyScope[]
  readonly liveOnly: boolean
}

const PLANS: readonly (readonly [type: string, plan: PlanOperation])[] = [
  ...SEND_SCHEMAS.map((schema): readonly [string, PlanOperation] => [
    schema.type,
    (scope, item) => planSend(scope, item, schema),
  ]),
  ['call/otp', planCall],
  ['template/create', planTemplate],
  ['template/chatapp/list', planTemplateList],
  ['balance', planBalance],
  ['price', planPrice],
  ['template/list', planTemplatePage],
  ['template/delete', planTemplateRemoval],
  ['status', planStatus],
  ['cancel', planCancel],
]

const OPERATIONS: ReadonlyMap<unknown, Operation> = new Map<unknown, Operation>(
  PLANS.map(([type, plan]) => [type, { plan, scopes: scopesOf(type), liveOnly: isLiveOnly(type) }]),
)

/** Throws a Refused when the item refuses the whole request. */
export function planItem(scope: Scope, item: unknown): Planned | Inquiry {
  if (!isObject(item)) return refuse(null, ITEM_ERRORS.notAnObject)
  const operation = OPERATIONS.get(item.type)
  if (operation === undefined) return refuse(echoedId(item, scope.tools.limits), notOneOf('type', OPERATION_TYPES))
  const { plan, scopes, liveOnly } = operation
  if (!scopes.some((each) => scope.key.scopes.includes(each))) {
    return refuse(echoedId(item, scope.tools.limits), needsScope(scopes))
  }
  if (liveOnly && scope.key.test) return refuse(echoedId(item, scope.tools.limits), ITEM_ERRORS.liveOnly)
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
