/**
 * `price`: what a send would cost. Reads, checks and prices like a send but sends and holds nothing, and ignores the
 * balance.
 */
import { readFields } from '../../contract/fields/fields.ts'
import { SEND_TYPES } from '../../contract/fields/send-types.ts'
import { PRICE_FIELDS, SEND_SCHEMAS, type SendSchema } from '../../contract/operations/operation-schemas.ts'
import { type JsonObject, writeResult } from '../../contract/request/envelope.ts'
import { notOneOf } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import { channelNameOf, holdOf } from '../../domain/message/plan.ts'
import { toDecimal } from '../../domain/money/money.ts'
import type { Random } from '../../ports/system/random.ts'
import type { Planned, Scope } from '../request/planned.ts'
import { readSend } from './read-send.ts'

export const SENDS: ReadonlyMap<string, SendSchema> = new Map(SEND_SCHEMAS.map((schema) => [schema.type, schema]))

/** Short links have their real length but lead nowhere. */
export const NO_CHANCE: Random = { bytes: (count) => new Uint8Array(count), below: () => 0 }

/** Throws ItemRefused for an item that could not be sent. */
export function planPrice(scope: Scope, item: JsonObject): Planned {
  const { sendType } = readFields(item, PRICE_FIELDS, scope.tools.limits)
  const schema = SENDS.get(sendType)
  if (schema === undefined) throw new ItemRefused(notOneOf('send_type', SEND_TYPES))
  const { clientId, plan } = readSend(scope, item, schema, NO_CHANCE)
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
