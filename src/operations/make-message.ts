/** Makes the message of an accepted operation. */
import { beginJourney, type JourneyTerms, type Message } from '../domain/message.ts'
import type { Scope } from './planned.ts'

/** What the operation says of its message. */
type Asked = Pick<Message, 'clientId' | 'phone' | 'operator' | 'plan' | 'hook'> & JourneyTerms

export function makeMessage(
  { account, key, now, newId, bulk, trace }: Scope,
  { sendAt = null, verification, ...asked }: Asked,
): Message {
  return {
    ...asked,
    id: newId(),
    accountId: account.id,
    test: key.test,
    reportSteps: account.settings.reportSteps,
    currency: account.currency,
    createdAt: now,
    journey: beginJourney(asked.plan, now, {
      sendAt,
      ...(verification === undefined ? {} : { verification }),
      ...(bulk === undefined ? {} : { bulk }),
      ...(trace === undefined ? {} : { trace }),
    }),
  }
}
