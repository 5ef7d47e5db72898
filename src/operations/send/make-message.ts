/** Makes the message of an accepted operation. */
import { beginJourney, type JourneyTerms, type Message } from '../../domain/message/message.ts'
import type { Scope } from '../request/planned.ts'

/** What the operation says of its message. */
type Asked = Pick<Message, 'clientId' | 'phone' | 'operator' | 'plan' | 'hook'> &
  Pick<JourneyTerms, 'sendAt' | 'verification'>

export function makeMessage(
  { account, key, now, newId, bulk, trace }: Scope,
  { clientId, phone, operator, plan, hook, sendAt = null, verification = null }: Asked,
): Message {
  return {
    clientId,
    phone,
    operator,
    plan,
    hook,
    id: newId(account.id),
    accountId: account.id,
    test: key.test,
    reportSteps: account.settings.reportSteps,
    currency: account.currency,
    createdAt: now,
    journey: beginJourney(plan, now, { sendAt, verification, bulk, trace }),
  }
}
