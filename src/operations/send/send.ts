/** Sends: turns a priced send into a message with its hold, short links and first attempt. */
import type { SendSchema } from '../../contract/operations/operation-schemas.ts'
import type { JsonObject } from '../../contract/request/envelope.ts'
import { atNoCost, partsOf } from '../../domain/message/plan.ts'
import { tenantOf } from '../../domain/message/tenant.ts'
import type { Planned, Scope } from '../request/planned.ts'
import { countsOf, withCounts } from './check-destination.ts'
import { makeMessage } from './make-message.ts'
import { readSend } from './read-send.ts'

/** Throws ItemRefused for an item that cannot be sent. */
export function planSend(scope: Scope, item: JsonObject, schema: SendSchema): Planned {
  const { account, key, now, tools } = scope
  const send = readSend(scope, item, schema, tools.random)
  const { clientId, phone, operator, hook, sendAt } = send
  const plan = key.test ? atNoCost(send.plan) : send.plan
  const message = makeMessage(scope, { clientId, phone, operator, plan, hook, sendAt })
  const beginsAt = message.journey.dueAt ?? now
  const expiresAt = beginsAt + tools.limits.shortLinkSeconds * 1000
  return {
    draft: { kind: 'send', id: clientId, parts: partsOf(plan) },
    item: withCounts(
      {
        kind: 'message',
        message,
        waits: beginsAt > now || !tools.outbox.hasRoom(plan[0]?.channel ?? 'sms', tenantOf(message)),
        links: send.links.made(message.id, expiresAt),
        uniqueId: account.settings.uniqueIds && clientId !== null,
      },
      countsOf(scope, 'messages', phone),
    ),
  }
}
