/** Which carrier the step under way of a message goes to now, by its routes and by who can take it. */
import type { Directory } from '../domain/directory.ts'
import type { Message } from '../domain/message.ts'
import type { Route } from '../domain/route.ts'
import { TEST_CARRIERS } from '../domain/test-mode.ts'
import type { Carrier } from '../ports/carrier.ts'
import type { Lookup } from '../ports/lookup.ts'
import type { RouteOptions } from './attempt.ts'
import type { CarrierFleet } from './carrier-fleet.ts'
import { channelOf } from './message-cache.ts'

export interface ChoiceTools {
  readonly fleet: CarrierFleet
  readonly directory: () => Directory
  readonly lookup: Lookup
}

/** Who takes the step now: a carrier of this node, one that only other nodes have, or nobody, and why. */
/** `candidates`: the carriers that the message may wait for. */
export type Choice =
  | { readonly kind: 'here'; readonly carrier: Carrier; readonly candidates: readonly string[] }
  | { readonly kind: 'elsewhere'; readonly candidates: readonly string[] }
  | { readonly kind: 'nobody'; readonly reason: string }

/**
 * The best carrier that is open and was not tried in this round; failing that one that is open; failing that the one to
 * wait for. A call is worth nothing later: it goes to a carrier that is open and untried, waits for one that makes its first
 * connection, and has nobody otherwise. Carriers of other nodes count as open, but for a message that another node has handed over: it stays with
 * one of this node, so that none is sent round in circles.
 */
export function chooseCarrier(message: Message, wasForwarded: boolean, tools: ChoiceTools): Choice {
  const ids = carriersOf(message, tools)
  if (typeof ids === 'string') return { kind: 'nobody', reason: ids }
  const { fleet } = tools
  const here = ids.filter((id) => !fleet.isElsewhere(id))
  const candidates = wasForwarded && here.length > 0 ? here : ids
  const { tried = [], uncertain, carrierId } = message.journey.steps[message.journey.step] ?? {}
  // A carrier that may have it is asked again, though it asks others to take another way.
  const mayHaveIt =
    uncertain === true && channelOf(message) !== 'call'
      ? candidates.find((id) => id === carrierId && fleet.isSlow(id))
      : undefined
  const open = candidates.filter((id) => fleet.isElsewhere(id) || fleet.mayTry(id))
  const untried = candidates.filter((id) => !tried.includes(id))
  const later =
    channelOf(message) === 'call'
      ? untried.find((id) => fleet.isStarting(id))
      : (open[0] ?? untried[0] ?? candidates[0])
  const id = mayHaveIt ?? open.find((each) => untried.includes(each)) ?? later
  if (id === undefined) return { kind: 'nobody', reason: 'no carrier of its routes can take a call now' }
  const carrier = fleet.get(id)
  if (carrier !== undefined) return { kind: 'here', carrier, candidates: mayHaveIt === undefined ? ids : [mayHaveIt] }
  // A carrier that is open here was passed over for one of another node.
  return { kind: 'elsewhere', candidates: ids.filter((each) => fleet.isElsewhere(each) || !fleet.mayTry(each)) }
}

/** Whether, besides this carrier and those tried before, one is left that could be tried at once. */
export function isAnotherLeft(message: Message, carrierId: string, tools: ChoiceTools): boolean {
  const ids = carriersOf(message, tools)
  if (typeof ids === 'string') return false
  const { fleet } = tools
  const { tried = [] } = message.journey.steps[message.journey.step] ?? {}
  const isOpen = (id: string) => fleet.isElsewhere(id) || fleet.mayTry(id)
  return ids.some((id) => id !== carrierId && !tried.includes(id) && isOpen(id))
}

/** What the route to the carrier asks of it; nothing when none leads there any more. */
export function routeOptionsOf(message: Message, carrierId: string, tools: ChoiceTools): RouteOptions {
  if (channelOf(message) !== 'call' || message.test) return NO_OPTIONS
  const { ringSeconds } = routesOf(message, tools).find((route) => route.carrierId === carrierId) ?? {}
  return ringSeconds === undefined ? NO_OPTIONS : { ringSeconds }
}

const NO_ROUTE = 'no route to this number'
const NO_OPTIONS: RouteOptions = {}

/** Those that run, here or elsewhere, the best first; a text says why there is none. */
function carriersOf(message: Message, tools: ChoiceTools): readonly string[] | string {
  const { fleet } = tools
  const runs = (id: string) => fleet.isElsewhere(id) || fleet.get(id) !== undefined
  if (message.test) {
    // Whatever the routes say.
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
  const { phone, accountId } = message
  const sender = message.plan[message.journey.step]?.sender ?? ''
  const step = { channel: channelOf(message), phone, operator: lookup.operatorOf(phone), accountId, sender }
  return directory()
    .routes.candidates(step, drawOf(message))
    .filter((route) => mayCallFrom(route, message, directory()))
}

/** A call was given its number when it was accepted: only a carrier with that number in its pool may place it. */
function mayCallFrom({ poolId }: Route, message: Message, directory: Directory): boolean {
  const content = message.plan[message.journey.step]?.content
  if (poolId === null || content?.kind !== 'call') return true
  return directory.isInPool(poolId, content.from)
}

/**
 * Evenly spread over messages, and the same at every try of one: a carrier of which nobody knows whether it has the
 * message is asked again under the same id, and not another one beside it. Fibonacci hashing.
 */
function drawOf({ id }: Message): number {
  return (id * 0.618033988749895) % 1
}
