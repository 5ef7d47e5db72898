/** Reads and plans one item of a request by its `type`. An invalid item fails alone. */
import { nearestChain } from '../../contract/channels/send-types.ts'
import { echoedId } from '../../contract/fields/fields.ts'
import { type ChatappNames, inClientNames, type TranslatedItem } from '../../contract/operations/chatapp-names.ts'
import { ignoredFieldsOf } from '../../contract/operations/ignored-fields.ts'
import {
  LISTED_TYPES,
  type OperationSchema,
  OTHER_SCHEMAS,
  sendSchemaOf,
} from '../../contract/operations/operation-schemas.ts'
import { isLiveOnly, scopesOf } from '../../contract/operations/operation-scopes.ts'
import { isObject, type RequestObject, writeItemError } from '../../contract/request/envelope.ts'
import { ITEM_ERRORS, needsScope, unknownOperation } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { ApiKey, KeyScope } from '../../domain/accounts/api-key.ts'
import { CHATAPP } from '../../domain/channels/chatapp.ts'
import { nearestName } from '../../domain/text/nearest-name.ts'
import {
  planBulkCreate,
  planBulkErrors,
  planBulkList,
  planBulkPause,
  planBulkStart,
  planBulkStatus,
  planBulkStop,
} from '../bulk/plan-bulk.ts'
import {
  planHookCreation,
  planHookDeletion,
  planHookList,
  planHookRotation,
  planHookTest,
  planHookUpdate,
} from '../hooks/client-hooks.ts'
import { planReplay } from '../hooks/replay-hook.ts'
import { planHlr, planLookup } from '../lookup/lookup.ts'
import { planBalance } from '../read/balance.ts'
import { planCancel } from '../read/cancel.ts'
import { planEventList } from '../read/list-events.ts'
import { planInboundList } from '../read/list-inbound.ts'
import { planPostingList } from '../read/list-postings.ts'
import { planStatement } from '../read/read-statement.ts'
import { planStatistics } from '../read/statistics.ts'
import { planStatus } from '../read/status.ts'
import { type Inquiry, isReply, isResend, type Planned, type Scope } from '../request/planned.ts'
import { planCall } from '../send/call-otp.ts'
import { planPrice } from '../send/price.ts'
import { planSendOrReply } from '../send/send.ts'
import { planTemplate } from '../templates/create-template.ts'
import { planTemplateRemoval } from '../templates/delete-template.ts'
import { planTemplateList } from '../templates/list-chat-templates.ts'
import { planTemplatePage } from '../templates/list-templates.ts'
import { planVerifyCheck } from '../verify/verify-check.ts'
import { planVerifyResend } from '../verify/verify-resend.ts'
import { planVerifyStart } from '../verify/verify-start.ts'

type PlanOperation = (scope: Scope, item: RequestObject) => Planned | Inquiry

interface Operation {
  readonly plan: PlanOperation
  readonly scopes: readonly KeyScope[]
  readonly liveOnly: boolean
  readonly schema: OperationSchema
}

const PLANS: Readonly<Record<string, PlanOperation>> = {
  'call/otp': planCall,
  'template/create': planTemplate,
  'template/chatapp/list': planTemplateList,
  balance: planBalance,
  'posting/list': planPostingList,
  'statement/get': planStatement,
  price: planPrice,
  'template/list': planTemplatePage,
  'template/delete': planTemplateRemoval,
  status: planStatus,
  statistics: planStatistics,
  cancel: planCancel,
  'verify/start': planVerifyStart,
  'verify/check': planVerifyCheck,
  'verify/resend': planVerifyResend,
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

/** All but sends at first; each send once it was asked for. */
const OPERATIONS = new Map<unknown, Operation>(
  OTHER_SCHEMAS.map((schema): [string, Operation] => {
    const plan = PLANS[schema.type]
    if (plan === undefined) throw new RangeError(`${schema.type} is not implemented`)
    return [schema.type, operation(schema, plan)]
  }),
)

function operation(schema: OperationSchema, plan: PlanOperation): Operation {
  return { plan, scopes: scopesOf(schema.type), liveOnly: isLiveOnly(schema.type), schema }
}

function operationOf(type: unknown): Operation | undefined {
  const known = OPERATIONS.get(type)
  const send = known === undefined ? sendSchemaOf(type) : null
  if (send === null) return known
  const made = operation(send, (scope, item) => planSendOrReply(scope, item, send))
  OPERATIONS.set(type, made)
  return made
}

/** Throws Refused if the item makes the whole request fail. */
export function planItem(scope: Scope, sent: unknown): Planned | Inquiry {
  if (!isObject(sent)) return refuse(null, new ItemRefused(ITEM_ERRORS.notAnObject))
  const translated = scope.tools.chatappNames.translate(sent)
  const { item, chatappName } = translated
  const found = operationOf(item.type)
  const warnings = found === undefined ? NO_WARNINGS : ignoredFieldsOf(found.schema).warningsOf(translated)
  try {
    if (found === undefined) throw new ItemRefused(unknownOperation(nearestOperation(item.type)))
    checkKey(scope.key, found)
    const planned = found.plan(chatappName === CHATAPP.name ? scope : { ...scope, chatappName }, item)
    if (isReply(planned)) {
      return { ...planned, conclude: concluding(planned.conclude, translated, scope, warnings) }
    }
    if (isResend(planned)) {
      return { ...planned, conclude: concluding(planned.conclude, translated, scope, warnings) }
    }
    return warn(planned, warnings)
  } catch (error) {
    return refuseItem(error, translated, scope, warnings)
  }
}

function nearestOperation(type: unknown): string | null {
  return typeof type === 'string' ? (nearestName(type, LISTED_TYPES) ?? nearestChain(type)) : null
}

const NO_WARNINGS: readonly string[] = []

/** The send is planned later, and may be refused then. */
function concluding<Found>(
  conclude: (found: Found) => Planned,
  translated: TranslatedItem,
  scope: Scope,
  warnings: readonly string[],
): (found: Found) => Planned {
  return (found) => {
    try {
      return warn(conclude(found), warnings)
    } catch (error) {
      return refuseItem(error, translated, scope, warnings)
    }
  }
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

/** Groups of operations, for metrics: few, whatever clients send. */

const GROUPS: ReadonlyMap<unknown, string> = new Map(OTHER_SCHEMAS.map(({ type }) => [type, type.replace(/\/.*/, '')]))

/** Returns the group of an item as the client sent it: `send` of all messages, `bulk` of `bulk/create`. */
export function operationGroup(item: unknown, names: ChatappNames): string {
  if (!isObject(item)) return 'unknown'
  const type = names.typeOf(item)
  return GROUPS.get(type) ?? (sendSchemaOf(type) === null ? 'unknown' : 'send')
}
