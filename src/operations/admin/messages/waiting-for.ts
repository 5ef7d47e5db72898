/** Which carriers a message waits for, and why they do not take it now. */
import Type, { type Static } from 'typebox'
import { isRated } from '../../../domain/accounts/sender.ts'
import { carriesTexts } from '../../../domain/channels/channel.ts'
import type { Directory } from '../../../domain/directory/directory.ts'
import type { Message } from '../../../domain/message/message.ts'
import { startOf } from '../../../domain/statistics/message-statistics.ts'
import { CARRIER_STANDINGS } from '../../../ports/carriers/routing.ts'
import type { LiveGateway } from '../endpoint/endpoint.ts'
import { nullable, whole } from '../fields/shapes.ts'

export const WaitingFor = Type.Object({
  carrier: Type.String(),
  state: Type.Enum([...CARRIER_STANDINGS], { description: 'for this gateway; open: it takes messages now' }),
  reason: nullable(Type.String(), { description: 'why its breaker is open, or its last error; null if there is none' }),
  queued: whole({ description: 'messages queued for it in this gateway' }),
})

export const WAITS_BECAUSE = nullable(Type.String(), {
  description:
    'why it waits although its carriers could take it: quiet hours, a suspension, the rate of its sender; null if none',
})

/**
 * Returns the carriers of an open message in the order in which they are tried. Empty once a carrier has taken it,
 * before its planned time or the end of its postponement, for suspended accounts, and for test messages, which
 * simulated carriers take.
 */
export function waitingFor(message: Message, live: LiveGateway | null, now: number): Static<typeof WaitingFor>[] {
  const { phase, dueAt, postponed } = message.journey
  const waitsUntil = Math.max(postponed?.until ?? 0, startOf(message))
  if (
    live === null ||
    live.role === 'api' ||
    message.test ||
    phase !== 'open' ||
    Math.min(waitsUntil, dueAt ?? 0) > now
  )
    return []
  if (!live.operations.directory().maySend(message.accountId)) return []
  const running = new Map(live.carriers().map((carrier) => [carrier.id, carrier]))
  return live.explainRouting(message).routes.map(({ route: { carrierId }, standing }) => {
    const carrier = running.get(carrierId)
    const reason =
      standing === 'breaker open' ? carrier?.degraded?.reason : standing === 'disconnected' ? carrier?.lastError : null
    return { carrier: carrierId, state: standing, reason: reason ?? null, queued: carrier?.waiting ?? 0 }
  })
}

/** Returns why an open message may wait although a carrier could take it; null if nothing keeps it. */
export function waitsBecause(message: Message, live: LiveGateway | null, now: number): string | null {
  const { phase, postponed, dueAt } = message.journey
  const directory = live?.operations.directory()
  if (phase !== 'open') return null
  if (directory?.maySend(message.accountId) === false) return 'the account is suspended'
  if (postponed !== undefined && postponed.until > now && postponed.until === dueAt) return postponed.reason
  return directory === undefined || startOf(message) > now ? null : describeRate(message, directory)
}

function describeRate({ accountId, phone, plan, journey, test }: Message, directory: Directory): string | null {
  const { channel, sender } = plan[journey.step] ?? {}
  if (test || channel === undefined || sender === undefined || !carriesTexts(channel)) return null
  const shown = directory.senderShown({ accountId, channel, sender, phone })
  return shown === null || !isRated(shown) ? null : `${shown.name} sends at most ${shown.perSecond} parts a second`
}
