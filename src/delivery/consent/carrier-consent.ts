/** Records opt-outs of recipients that carriers report, before the event that reports them is applied. */
import type { JourneyEvent } from '../../domain/message/journey-event.ts'
import { isForgotten, type Message } from '../../domain/message/message.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { applyOptOuts, type OptOutTools } from './apply-opt-outs.ts'

export interface CarrierConsentTools extends OptOutTools {
  readonly clock: Clock
}

/** The opt-out in an event: the sender that it applies to, null for all of the account. */
export type OptOutInEvent = Pick<Extract<JourneyEvent, { kind: 'receipt' }>, 'optedOutOf'>

/**
 * Resolves once the opt-out from the sender of the step is on disk and applies to new messages and to later steps of
 * this one. Rejects if the store fails.
 */
export async function recordCarrierOptOut(
  message: Message,
  step: number,
  tools: CarrierConsentTools,
): Promise<OptOutInEvent> {
  const planned = message.plan[step]
  // A test key changes nothing of the account.
  if (planned === undefined || message.test || isForgotten(message)) return {}
  const { accountId, phone } = message
  const sender = tools.directory().guards.settings.optOutScope === 'sender' ? planned.sender : null
  const optOut = { accountId, phone, sender, by: 'carrier', at: tools.clock.now() } as const
  await applyOptOuts(tools, tools.directory().forSharing([{ kind: 'add', optOut }]))
  return { optedOutOf: sender }
}
