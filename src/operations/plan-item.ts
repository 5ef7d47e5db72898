/** Reads and plans one item of a request by its `type`. An invalid item fails alone. */
import { CHATAPP, inClientNames, type TranslatedItem } from '../contract/chatapp-names.ts'
import { isObject, type JsonObject, writeItemError } from '../contract/envelope.ts'
import { ITEM_ERRORS, needsScope, unknownOperation } from '../contract/error-texts.ts'
import { echoedId } from '../contract/fields.ts'
import { IgnoredFields } from '../contract/ignored-fields.ts'
import { OPERATION_SCHEMAS, OPERATION_TYPES, SEND_SCHEMAS } from '../contract/operation-schemas.ts'
import { isLiveOnly, scopesOf } from '../contract/operation-scopes.ts'
import { ItemRefused } from '../contract/refused.ts'
import type { ApiKey, KeyScope } from '../domain/api-key.ts'
import { nearestName } from '../domain/nearest-name.ts'
import { planBalance } from './balance.ts'
import {
  planBulkCreate,
  planBulkErrors,
  planBulkList,
  planBulkPause,
  planBulkStart,
  planBulkStatus,
  planBulkStop,
} from './bulk/plan-bulk.ts'
import { planCall } from './call-otp.ts'
import { planCancel } from './cancel.ts'
import {
  planHookCreation,
  planHookDeletion,
  planHookList,
  planHookRotation,
  planHookTest,
  planHookUpdate,
} from './client-hooks.ts'
import { planTemplate } from './create-template.ts'
import { planTemplateRemoval } from './delete-template.ts'
import { planTemplateList } from './list-chat-templates.ts'
import { planEventList } from './list-events.ts'
import { planInboundList } from './list-inbound.ts'
import { planTemplatePage } from './list-templates.ts'
import { planHlr, planLookup } from './lookup.ts'
import type { Inquiry, Planned, ReplyInquiry, Scope } from './planned.ts'
import { planPrice } from './price.ts'
import { planReplay } from './replay-hook.ts'
import { isReply, planSendOrReply } from './reply-to.ts'
import { planStatistics } from './statistics.ts'
import { planStatus } from './status.ts'
import { planVerifyCheck } from './verify-check.ts'
import { planVerifyStart } from './verify-start.ts'

type PlanOperation = (scope: Scope, item: JsonObject) => Planned | Inquiry

interface Operation {
  readonly plan: PlanOperation
  readonly scopes: readonly KeyScope[]
  readonly liveOnly: boolean
  readonly ignored: IgnoredFields
}

const PLANS: Readonly<Record<string, PlanOperation>> = {
  ...Object.fromEntries(
    SEND_SCHEMAS.map((schema): [string, PlanOperation] => [
      schema.type,
      (scope, item) => planSendOrReply(scope, item, schema),
    ]),
  ),
  'call/otp': planCall,
  'template/create': planTemplate,
  'template/chatapp/list': planTemplateList,
  balance: planBalance,
  price: planPrice,
  'template/list': planTemplatePage,
  'template/delete': planTemplateRemoval,
  status: planStatus,
  statistics: planStatistics,
  cancel: planCancel,
  'verify/start': planVerifyStart,
  'verify/check': planVerifyCheck,
  'event/list': planEventList,
  'inbound/list': planInboundList,
  'hook/create': planHookCreation,
  'hook/list': planHookList,
  'hook/update': planHookUpdate,
  'hook/rotate': planHookRotation,
  'hook/delete': planHookDeletion,
  'hook/test': planHookTest,
  'hook/replay': planReplay,
  lookup: planLookup,
  hlr: planHlr,
  'bulk/create': planBulkCreate,
  'bulk/start': planBulkStart,
  'bulk/pause': planBulkPause,
  'bulk/stop': planBulkStop,
  'bulk/status': planBulkStatus,
  'bulk/errors': planBulkErrors,
  'bulk/list': planBulkList,
}

const OPERATIONS: ReadonlyMap<unknown, Operation> = new Map(
  OPERATION_SCHEMAS.map((schema): [string, Operation] => {
    const { type } = schema
    const plan = PLANS[type]
    if (plan === undefined) throw new RangeError(`${type} is not implemented`)
    return [type, { plan, scopes: scopesOf(type), liveOnly: isLiveOnly(type), ignored: new IgnoredFields(schema) }]
  }),
)

/** Throws Refused if the item makes the whole request fail. */
export function planItem(scope: Scope, sent: unknown): Planned | Inquiry {
  if (!isObject(sent)) return refuse(null, new ItemRefused(ITEM_ERRORS.notAnObject))
  const translated = scope.tools.chatappNames.translate(sent)
  const { item, chatappName } = translated
  const operation = OPERATIONS.get(item.type)
  const warnings = operation?.ignored.warningsOf(translated) ?? NO_WARNINGS
  try {
    if (operation === undefined) throw new ItemRefused(unknownOperation(nearestOperation(item.type)))
    checkKey(scope.key, operation)
    const planned = operation.plan(chatappName === CHATAPP ? scope : { ...scope, chatappName }, item)
    return isReply(planned) ? concluding(planned, translated, scope, warnings) : warn(planned, warnings)
  } catch (error) {
    return refuseItem(error, translated, scope, warnings)
  }
}

function nearestOperation(type: unknown): string | null {
  return typeof type === 'string' ? nearestName(type, OPERATION_TYPES) : null
}

const NO_WARNINGS: readonly string[] = []

/** The send is planned later, and may be refused then. */
function concluding(
  reply: ReplyInquiry,
  translated: TranslatedItem,
  scope: Scope,
  warnings: readonly string[],
): ReplyInquiry {
  const conclude: ReplyInquiry['conclude'] = (inbound) => {
    try {
      return warn(reply.conclude(inbound), warnings)
    } catch (error) {
      return refuseItem(error, translated, scope, warnings)
    }
  }
  return { ...reply, conclude }
}

function refuseItem(
  error: unknown,
  translated: TranslatedItem,
  { tools }: Scope,
  warnings: readonly string[],
): Planned {
  if (!(error instanceof ItemRefused)) throw error
  return warn(refuse(echoedId(translated.item, tools.limits), error, translated), warnings)
}

function checkKey(key: ApiKey, { scopes, liveOnly }: Operation): void {
  if (!scopes.some((each) => key.scopes.includes(each))) throw new ItemRefused(needsScope(scopes))
  if (liveOnly && key.test) throw new ItemRefused(ITEM_ERRORS.liveOnly)
}

function refuse(id: string | null, { message, field }: ItemRefused, names?: TranslatedItem): Planned {
  const written = (text: string) => (names === undefined ? text : inClientNames(text, names))
  const text = writeItemError(id, written(message), field === null ? null : written(field))
  return { draft: { kind: 'written', text }, item: null }
}

function warn<P extends Planned | Inquiry>(planned: P, warnings: readonly string[]): P {
  if (warnings.length === 0) return planned
  if ('draft' in planned) return { ...planned, draft: { ...planned.draft, warnings } }
  return { ...planned, warnings: [...(planned.warnings ?? []), ...warnings] }
}
