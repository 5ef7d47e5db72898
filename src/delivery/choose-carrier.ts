/** Chooses the carrier for the current step of a message, from its routes and the state of the carriers. */
import type { Directory } from '../domain/directory.ts'
import type { Message } from '../domain/message.ts'
import type { Route, RoutedStep } from '../domain/route.ts'
import { TEST_CARRIERS } from '../domain/test-mode.ts'
import type { Carrier } from '../ports/carrier.ts'
import type { Lookup } from '../ports/lookup.ts'
import type { CarrierFleet } from './carrier-fleet.ts'
import { channelOf } from './message-cache.ts'

export interface ChoiceTools {
  readonly fleet: CarrierFleet
  readonly directory: () => Directory
  readonly lookup: Lookup
}

/**
 * A carrier of this node, carriers that only other nodes have, or none and why. `candidates` are the carriers that the
 * message may wait for.
 */
export type Choice =
  | { readonly kind: 'here'; readonly carrier: Carrier; readonly candidates: readonly string[] }
  | { readonly kind: 'elsewhere'; readonly candidates: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string }

/**
 * Returns the best carrier that is open and was not tried in this round; otherwise one that is open; otherwise the one
 * to wait for. A call is useless later: it goes to an open, untried carrier, waits for one that makes its first
 * connection, and otherwise gets none. Carriers of other nodes count as open, except for a forwarded message: it stays
 * with a carrier of this node, so that nodes do not forward it in circles.
 */
export function chooseCarrier(message: Message, wasForwarded: boolean, tools: ChoiceTools): Choice {
  const ids = carriersOf(message, tools)
  if (typeof ids === 'string') return { kind: 'none', reason: ids }
  const { fleet } = tools
  const here = ids.filter((id) => !fleet.isElsewhere(id))
  const candidates = wasForwarded && here.length > 0 ? here : ids
  const { tried = [], uncertain, carrierId } = message.journey.steps[message.journey.step] ?? {}
  // A carrier that may have the message is asked again even though it is slow.
  const mayHaveIt =
    uncertain === true && channelOf(message) !== 'call'
      ? candidates.find((id) => id === carrierId && fleet.isSlow(id))
      : undefined
  const isOpen = (id: string) => fleet.isElsewhere(id) || fleet.mayTry(id)
  const isUntried = (id: string) => !tried.includes(id)
  const later = () =>
    channelOf(message) === 'call'
      ? candidates.find((id) => isUntried(id) && fleet.isStarting(id))
      : (candidates.find(isOpen) ?? candidates.find(isUntried) ?? candidates[0])
  const id = mayHaveIt ?? candidates.find((each) => isUntried(each) && isOpen(each)) ?? later()
  if (id === undefined) return { kind: 'none', reason: 'no carrier of its routes can take a call now' }
  const carrier = fleet.get(id)
  if (carrier !== undefined) return { kind: 'here', carrier, candidates: mayHaveIt === undefined ? ids : [mayHaveIt] }
  // Open carriers of this node ranked lower than the one of another node.
  return { kind: 'elsewhere', candidates: ids.filter((each) => fleet.isElsewhere(each) || !fleet.mayTry(each)) }
}

/** Whether another carrier, not tried before, could be tried at once. */
export function isAnotherLeft(message: Message, carrierId: string, tools: ChoiceTools): boolean {
  const ids = carriersOf(message, tools)
  if (typeof ids === 'string') return false
  const { fleet } = tools
  const { tried = [] } = message.journey.steps[message.journey.step] ?? {}
  const isOpen = (id: string) => fleet.isElsewhere(id) || fleet.mayTry(id)
  return ids.some((id) => id !== carrierId && !tried.includes(id) && isOpen(id))
}

/** Returns how long its route lets the phone ring; undefined if the route does not say, or no route leads there. */
export function ringSecondsOf(message: Message, carrierId: string, tools: ChoiceTools): number | undefined {
  if (channelOf(message) !== 'call' || message.test) return undefined
  return routesOf(message, tools).find((route) => route.carrierId === carrierId)?.ringSeconds
}

const NO_ROUTE = 'no route to this number'

/** Returns the carriers that run, here or elsewhere, best first; a text with the reason if there are none. */
function carriersOf(message: Message, tools: ChoiceTools): readonly string[] | string {
  const { fleet } = tools
  const runs = (id: string) => fleet.isElsewhere(id) || fleet.get(id) !== undefined
  if (message.test) {
    const id = TEST_CARRIERS[channelOf(message)]
    return runs(id) ? [id] : 'the simulated carriers do not run'
  }
  const routes = routesOf(message, tools)
  const first = routes[0]
  if (first === undefined) return NO_ROUTE
  const ids = routes.map(({ carrierId }) => carrierId).filter(runs)
  return ids.length > 0 ? ids : `carrier ${first.carrierId} is not running`
}

function routesOf(message: Message, { directory, lookup }: ChoiceTools): readonly Route[] {
  return directory()
    .routes.candidates(routedStepOf(message, lookup), drawOf(message))
    .filter((route) => mayCallFrom(route, message, directory()))
}

/** By the operator that the message was priced for; a lookup service may have found it. */
export function routedStepOf(message: Message, lookup: Lookup): RoutedStep {
  const { phone, accountId, operator } = message
  const sender = message.plan[message.journey.step]?.sender ?? ''
  return { channel: channelOf(message), phone, operator: operator ?? lookup.operatorOf(phone), accountId, sender }
}

/** A call got its number when it was accepted: only a carrier with that number in its pool may place it. */
export function mayCallFrom({ poolId }: Route, message: Message, directory: Directory): boolean {
  const content = message.plan[message.journey.step]?.content
  if (poolId === null || content?.kind !== 'call') return true
  return directory.isInPool(poolId, content.from)
}

/**
 * Returns a number in [0, 1) that is evenly spread over messages and the same at every try of one message: after an
 * unclear answer the same carrier is asked again. Fibonacci hashing.
 */
function drawOf({ id }: Message): number {
  return (id * 0.618033988749895) % 1
}
