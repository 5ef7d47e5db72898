/** Sends: turns a priced send into a message with its hold, short links and first attempt. */
import type { JsonObject } from '../contract/envelope.ts'
import type { SendSchema } from '../contract/operation-schemas.ts'
import { beginJourney, type Message } from '../domain/message.ts'
import { atNoCost, partsOf } from '../domain/plan.ts'
import { tenantOf } from '../domain/tenant.ts'
import { countsOf } from './check-destination.ts'
import type { Planned, Scope } from './planned.ts'
import { readSend } from './read-send.ts'

/** Throws ItemRefused for an item that cannot be sent. */
export function planSend(scope: Scope, item: JsonObject, schema: SendSchema): Planned {
  const { account, key, now, tools } = scope
  const { plan: priced, ...asked } = readSend(scope, item, schema, tools.random)
  const { clientId, phone, operator, hook, sendAt, links } = asked
  const plan = key.test ? atNoCost(priced) : priced
  const journey = beginJourney(plan, now, sendAt)
  const beginsAt = journey.dueAt ?? now
  const message: Message = {
    id: scope.newId(),
    accountId: account.id,
    test: key.test,
    clientId,
    phone,
    operator,
    plan,
    hook,
    reportSteps: account.settings.reportSteps,
    currency: account.currency,
    createdAt: now,
    journey,
  }
  const expiresAt = beginsAt + tools.limits.shortLinkSeconds * 1000
  return {
    draft: { kind: 'send', id: clientId, parts: partsOf(plan) },
    item: {
      kind: 'message',
      message,
      waits: beginsAt > now || !tools.outbox.hasRoom(plan[0]?.channel ?? 'sms', tenantOf(message)),
      links: links?.made(message.id, expiresAt) ?? [],
      uniqueId: account.settings.uniqueIds && clientId !== null,
      ...countsOf(scope, 'messages', phone),
    },
  }
}
