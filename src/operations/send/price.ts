/**
 * `price`: what a send would cost. Reads, checks and prices like a send but sends and holds nothing, and ignores the
 * balance.
 */
import { readFields } from '../../contract/fields/fields.ts'
import { PRICE_FIELDS, type SendSchema, sendSchemaOf } from '../../contract/operations/operation-schemas.ts'
import { type RequestObject, writeResult } from '../../contract/request/envelope.ts'
import { notASendType } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import { channelNameOf, holdOf } from '../../domain/message/message.ts'
import { toDecimal } from '../../domain/money/money.ts'
import type { Random } from '../../ports/system/random.ts'
import type { Planned, Scope } from '../request/planned.ts'
import { readSend } from './read-send.ts'

/** Short links have their real length but lead nowhere. */
export const NO_CHANCE: Random = { bytes: (count) => new Uint8Array(count), below: () => 0 }

/** Throws ItemRefused for an item that could not be sent. */
export function planPrice(scope: Scope, item: RequestObject): Planned {
  const { sendType } = readFields(item, PRICE_FIELDS, scope.tools.limits)
  const { clientId, plan } = readSend(scope, item, sendNamed('send_type', sendType), NO_CHANCE)
  const result = {
    price: toDecimal(holdOf(plan)),
    currency: scope.account.currency,
    steps: plan.map((step) => ({
      channel: channelNameOf(step),
      parts: step.parts,
      price: toDecimal(step.priceMicros),
    })),
  }
  return { draft: { kind: 'written', text: writeResult(result, clientId) }, item: null }
}

/** Throws ItemRefused for a type that is not that of a send. */
export function sendNamed(field: string, type: unknown): SendSchema {
  const schema = sendSchemaOf(type)
  if (schema === null) throw new ItemRefused(notASendType(field))
  return schema
}
