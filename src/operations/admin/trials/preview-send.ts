/** Reads a send as a request would and prices it, without sending it. */
import { SEND_TYPES } from '../../../contract/fields/send-types.ts'
import { inClientNames } from '../../../contract/operations/chatapp-names.ts'
import { IgnoredFields } from '../../../contract/operations/ignored-fields.ts'
import { OPERATION_SCHEMAS } from '../../../contract/operations/operation-schemas.ts'
import type { JsonObject } from '../../../contract/request/envelope.ts'
import { notOneOf } from '../../../contract/request/error-texts.ts'
import { ItemRefused } from '../../../contract/request/refused.ts'
import { atNoCost } from '../../../domain/message/plan.ts'
import type { Scope } from '../../request/planned.ts'
import { NO_CHANCE, SENDS } from '../../send/price.ts'
import { type PricedSend, readSend } from '../../send/read-send.ts'

export interface Preview {
  /** Null if it would be refused. */
  readonly send: PricedSend | null
  readonly error: string | null
  /** The field that the error is about; null if it is about none. */
  readonly field: string | null
  /** Ignored fields. */
  readonly warnings: readonly string[]
}

const IGNORED: ReadonlyMap<unknown, IgnoredFields> = new Map(
  OPERATION_SCHEMAS.filter(({ type }) => SENDS.has(type)).map((schema) => [schema.type, new IgnoredFields(schema)]),
)

/** A message of any other type than those of sends is refused. */
export function previewSend(scope: Scope, message: JsonObject): Preview {
  const translated = scope.tools.chatappNames.translate(message)
  const { item, chatappName } = translated
  const schema = typeof item.type === 'string' ? SENDS.get(item.type) : undefined
  if (schema === undefined) {
    return { send: null, error: notOneOf('type', SEND_TYPES), field: 'type', warnings: [] }
  }
  const warnings = IGNORED.get(item.type)?.warningsOf(translated) ?? []
  try {
    const send = readSend({ ...scope, chatappName }, item, schema, NO_CHANCE)
    const plan = scope.key.test ? atNoCost(send.plan) : send.plan
    return { send: { ...send, plan }, error: null, field: null, warnings }
  } catch (error) {
    if (!(error instanceof ItemRefused)) throw error
    const field = error.field === null ? null : inClientNames(error.field, translated)
    return { send: null, error: inClientNames(error.message, translated), field, warnings }
  }
}
