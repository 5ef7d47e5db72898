/** Chooses the carrier for the current step of a message, from its routes and the state of the carriers. */
import type { Directory } from '../../domain/directory/directory.ts'
import { isPartlyTaken, type Message, type StepState } from '../../domain/message/message.ts'
import { isUserId } from '../../domain/numbers/phone.ts'
import type { Route, RoutedStep } from '../../domain/routing/route.ts'
import { TEST_CARRIERS } from '../../domain/routing/test-mode.ts'
import type { Carrier } from '../../ports/carriers/carrier.ts'
import type { Lookup } from '../../ports/carriers/lookup.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { CarrierFleet } from '../carriers/carrier-fleet.ts'
import { channelOf } from '../turns/message-cache.ts'
import { demotedLast, demotionNote } from './demoted-carriers.ts'
import { shownSender } from './shown-sender.ts'

export interface ChoiceTools {
  readonly fleet: CarrierFleet
  readonly directory: () => Directory
  readonly lookup: Lookup
  readonly clock: Clock
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
  const here = wasForwarded ? ids.filter((id) => !fleet.isElsewhere(id)) : NO_IDS
  const candidates = here.length > 0 ? here : ids
  const mayHaveIt = findAsked(message, candidates, fleet)
  const id = mayHaveIt ?? candidates.find((each) => isUntried(message, each) && isOpen(each, fleet))
  const chosen = id ?? findLater(message, candidates, fleet)
  if (chosen === undefined) return { kind: 'none', reason: 'no carrier of its routes can take a call now' }
  const carrier = fleet.get(chosen)
  if (carrier !== undefined) return { kind: 'here', carrier, candidates: mayHaveIt === undefined ? ids : [mayHaveIt] }
  if (mayHaveIt !== undefined) return { kind: 'elsewhere', candidates: [mayHaveIt] }
  // Open carriers of this node ranked lower than the one of another node.
  return { kind: 'elsewhere', candidates: ids.filter((each) => fleet.isElsewhere(each) || !fleet.mayTry(each)) }
}

/**
 * A carrier that has some of the message gets the rest, unless it is draining; one that may have it is asked again even
 * though it is slow.
 */
function findAsked(message: Message, candidates: readonly string[], fleet: CarrierFleet): string | undefined {
  const step = stepOf(message)
  if (step === undefined || channelOf(message) === 'call') return undefined
  const isFixed = isPartlyTaken(step)
  if (!isFixed && step.uncertain !== true) return undefined
  return candidates.find((id) => id === step.carrierId && (isFixed ? !fleet.isDraining(id) : fleet.isSlow(id)))
}

/** Returns the carrier to wait for, when all that are open were tried. */
function findLater(message: Message, candidates: readonly string[], fleet: CarrierFleet): string | undefined {
  if (channelOf(message) === 'call') return candidates.find((id) => isUntried(message, id) && fleet.isStarting(id))
  const open = candidates.find((id) => isOpen(id, fleet))
  return open ?? candidates.find((id) => isUntried(message, id)) ?? candidates[0]
}

function isOpen(id: string, fleet: CarrierFleet): boolean {
  return fleet.isElsewhere(id) || fleet.mayTry(id)
}

function isUntried(message: Message, id: string): boolean {
  return stepOf(message)?.tried?.includes(id) !== true
}

function stepOf({ journey }: Message): StepState | undefined {
  return journey.steps[journey.step]
}

/** Whether another carrier, not tried before, could be tried at once. */
export function isAnotherLeft(message: Message, carrierId: string, tools: ChoiceTools): boolean {
  const step = stepOf(message)
  if (step !== undefined && isPartlyTaken(step)) return false
  const ids = carriersOf(message, tools)
  if (typeof ids === 'string') return false
  return ids.some((id) => id !== carrierId && isUntried(message, id) && isOpen(id, tools.fleet))
}

/** Returns how long its route lets the phone ring; undefined if the route does not say, or no route leads there. */
export function ringSecondsOf(message: Message, carrierId: string, tools: ChoiceTools): number | undefined {
  if (channelOf(message) !== 'call' || message.test) return undefined
  return routesOf(message, tools).find((route) => route.carrierId === carrierId)?.ringSeconds
}

const NO_ROUTE = 'no route to this number'
const NEEDS_PHONE = 'the recipient has a user id only, which no carrier of this step reaches'
const NO_IDS: readonly string[] = []

/** Returns the carriers that run, here or elsewhere, best first; a text with the reason if there are none. */
function carriersOf(message: Message, tools: ChoiceTools): readonly string[] | string {
  const { fleet } = tools
  const byUserId = isUserId(message.phone)
  if (byUserId && channelOf(message) !== 'chatapp') return NEEDS_PHONE
  if (message.test) {
    const id = TEST_CARRIERS[channelOf(message)]
    return runs(id, fleet) ? [id] : 'the simulated carriers do not run'
  }
  const { testedCarrier } = message.journey
  if (testedCarrier !== undefined) {
    if (byUserId && !takesUserIds(testedCarrier, fleet)) return NEEDS_PHONE
    return runs(testedCarrier, fleet) ? [testedCarrier] : notRunning(testedCarrier)
  }
  const routes = routesOf(message, tools)
  const [first] = routes
  if (first === undefined) return NO_ROUTE
  if (routes.length === 1 && !byUserId && runs(first.carrierId, fleet)) return [first.carrierId]
  const able = byUserId ? routes.filter(({ carrierId }) => takesUserIds(carrierId, fleet)) : routes
  if (able.length === 0) return NEEDS_PHONE
  const ids = able.map(({ carrierId }) => carrierId).filter((id) => runs(id, fleet))
  if (ids.length === 0) return notRunning(first.carrierId)
  const { demotions } = tools.directory()
  return demotions.isEmpty ? ids : demotedLast(ids, message, demotions)
}

/** Returns what a demotion had to do with the choice of the carrier; undefined if nothing. */
export function noteOfChoice(message: Message, carrierId: string, tools: ChoiceTools): string | undefined {
  const { demotions } = tools.directory()
  if (demotions.isEmpty || message.test || message.journey.testedCarrier !== undefined) return undefined
  const routed = routesOf(message, tools).map((route) => route.carrierId)
  return demotionNote(carrierId, message, { routed, demotions })
}

function notRunning(id: string): string {
  return `carrier ${id} is not running`
}

function runs(id: string, fleet: CarrierFleet): boolean {
  return fleet.isElsewhere(id) || fleet.hasStarted(id)
}

/** Of a carrier that does not run here, another node decides. */
function takesUserIds(id: string, fleet: CarrierFleet): boolean {
  const carrier = fleet.get(id)
  return carrier === undefined || carrier.takesUserIds === true
}

function routesOf(message: Message, tools: ChoiceTools): readonly Route[] {
  const { directory } = tools
  const routes = directory().routes.candidates(routedStepOf(message, tools), drawOf(message))
  if (channelOf(message) !== 'call') return routes
  return routes.filter((route) => mayCallFrom(route, message, directory()))
}

/** By the operator that the message was priced for; a lookup service may have found it. */
export function routedStepOf(message: Message, { directory, lookup, clock }: Omit<ChoiceTools, 'fleet'>): RoutedStep {
  const { phone, accountId, operator } = message
  const named = message.plan[message.journey.step]?.sender ?? ''
  const sender = shownSender(message, directory())
  const step = {
    ...{ channel: channelOf(message), phone, operator: operator ?? lookup.operatorOf(phone), accountId, sender },
    at: clock.now(),
  }
  return sender === named ? step : { ...step, pool: named }
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
