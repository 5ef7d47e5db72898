/** Which carriers a message waits for, and why they do not take it now. */
import Type, { type Static } from 'typebox'
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
  description: 'why it waits although its carriers could take it: quiet hours, a suspension; null if neither',
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

/** Returns why an open message waits for none of its carriers; null if it does not. */
export function waitsBecause({ accountId, journey }: Message, live: LiveGateway | null, now: number): string | null {
  const { phase, postponed, dueAt } = journey
  if (phase !== 'open') return null
  if (live?.operations.directory().maySend(accountId) === false) return 'the account is suspended'
  return postponed !== undefined && postponed.until > now && postponed.until === dueAt ? postponed.reason : null
}
