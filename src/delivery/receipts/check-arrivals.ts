/** Finds the texts of checks of carriers among inbound messages, on whichever node they arrive. */
import type { Directory } from '../../domain/directory/directory.ts'
import {
  type CarrierCheck,
  inboundNumbersOf,
  isOfNumber,
  lastCheckOf,
  numbersOf,
  tokensIn,
} from '../../domain/routing/carrier-check.ts'
import type { InboundArrival } from '../../ports/carriers/carrier.ts'
import { ChangeRefused } from '../../ports/records/store-errors.ts'
import type { SetupStore } from '../../ports/stores/setup-store.ts'

interface Tools {
  readonly store: Pick<SetupStore, 'change'>
  readonly directory: () => Directory
  /** Reads the directory again. */
  readonly refresh: () => Promise<void>
}

/**
 * Ends checks whose texts arrived at their number by a carrier of it. Any other carrier could claim that, and one that
 * reads the token could send it to another number. Rejects if the store does.
 */
export async function endArrivedChecks(arrivals: readonly InboundArrival[], tools: Tools): Promise<void> {
  const tokens = arrivals.flatMap(({ text, ...arrival }) => tokensIn(text).map((token) => ({ ...arrival, token })))
  if (tokens.length === 0) return
  // The check may have been made by another node within the last second.
  await tools.refresh()
  const { carriers, carrierChecks, inboundNumbers } = tools.directory()
  const found = carriers.flatMap(numbersOf).flatMap((number) => {
    const check = lastCheckOf(number, carrierChecks)
    const receivers = inboundNumbersOf(number, inboundNumbers).map(({ carrierId }) => carrierId)
    const arrival = tokens.find(({ token, carrierId, recipient }) => {
      return token === check?.token && receivers.includes(carrierId) && isOfNumber(number, recipient)
    })
    return check?.outcome !== 'waiting' || arrival === undefined ? [] : { check, at: arrival.at }
  })
  for (const { check, at } of found) await end(check, at, tools.store)
  if (found.length > 0) await tools.refresh()
}

async function end(check: CarrierCheck, at: number, store: Tools['store']): Promise<void> {
  try {
    const arrived = { ...check, outcome: 'arrived', endedAt: at } as const
    await store.change({ kind: 'set carrier check', check: arrived, before: check })
  } catch (error) {
    // It was given up, or came twice, at this moment.
    if (!(error instanceof ChangeRefused)) throw error
  }
}
