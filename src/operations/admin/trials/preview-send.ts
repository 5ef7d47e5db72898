/** Reads a send as a request would and prices it, without sending it. */
import { inClientNames } from '../../../contract/operations/chatapp-names.ts'
import { ignoredFieldsOf } from '../../../contract/operations/ignored-fields.ts'
import { sendSchemaOf } from '../../../contract/operations/operation-schemas.ts'
import type { RequestObject } from '../../../contract/request/envelope.ts'
import { notASendType } from '../../../contract/request/error-texts.ts'
import { ItemRefused } from '../../../contract/request/refused.ts'
import { atNoCost } from '../../../domain/message/message.ts'
import { isFree, type Scope } from '../../request/planned.ts'
import { NO_CHANCE } from '../../send/price.ts'
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

/** A message of any other type than those of sends is refused. */
export function previewSend(scope: Scope, message: RequestObject): Preview {
  const translated = scope.tools.chatappNames.translate(message)
  const { item, chatappName } = translated
  const schema = sendSchemaOf(item.type)
  if (schema === null) return { send: null, error: notASendType('type'), field: 'type', warnings: [] }
  const warnings = ignoredFieldsOf(schema).warningsOf(translated)
  try {
    const send = readSend({ ...scope, chatappName }, item, schema, NO_CHANCE)
    const plan = isFree(scope) ? atNoCost(send.plan) : send.plan
    return { send: { ...send, plan }, error: null, field: null, warnings }
  } catch (error) {
    if (!(error instanceof ItemRefused)) throw error
    const field = error.field === null ? null : inClientNames(error.field, translated)
    return { send: null, error: inClientNames(error.message, translated), field, warnings }
  }
}
