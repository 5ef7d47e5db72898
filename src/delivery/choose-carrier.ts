/** Which carrier the step under way of a message goes to now, by its routes and by who can take it. */
import type { Directory } from '../domain/directory.ts'
import type { Message } from '../domain/message.ts'
import type { Route } from '../domain/route.ts'
import { TEST_CARRIERS } from '../domain/test-mode.ts'
import type { Carrier } from '../ports/carrier.ts'
import type { Lookup } from '../ports/lookup.ts'
import type { RouteWishes } from './attempt.ts'
import type { CarrierFleet } from './carrier-fleet.ts'
import { channelOf } from './desk.ts'

export interface ChoiceTools {
  readonly fleet: CarrierFleet
  readonly directory: () => Directory
  readonly lookup: Lookup
}

/**
 * The best carrier that is open and was not tried in this round; failing that one that is open; failing that the one to
 * wait for. A text says why there is none at all.
 */
export function chooseCarrier(message: Message, tools: ChoiceTools): Carrier | string {
  const carriers = carriersOf(message, tools)
  if (typeof carriers === 'string') return carriers
  const { tried = [] } = message.journey.steps[message.journey.step] ?? {}
  const open = carriers.filter(({ id }) => tools.fleet.mayTry(id))
  const untried = (carrier: Carrier) => !tried.includes(carrier.id)
  return open.find(untried) ?? open[0] ?? carriers.find(untried) ?? carriers[0] ?? NO_ROUTE
}

/** Whether, besides this carrier and those tried before, one is left that could be tried at once. */
export function isAnotherLeft(message: Message, carrierId: string, tools: ChoiceTools): boolean {
  const carriers = carriersOf(message, tools)
  if (typeof carriers === 'string') return false
  const { tried = [] } = message.journey.steps[message.journey.step] ?? {}
  return carriers.some(({ id }) => id !== carrierId && !tried.includes(id) && tools.fleet.mayTry(id))
}

/** What the route to the carrier asks of it; nothing when none leads there any more. */
export function wishesOf(message: Message, carrierId: string, tools: ChoiceTools): RouteWishes {
  if (channelOf(message) !== 'call' || message.test) return NO_WISHES
  const { ringSeconds } = routesOf(message, tools).find((route) => route.carrierId === carrierId) ?? {}
  return ringSeconds === undefined ? NO_WISHES : { ringSeconds }
}

const NO_ROUTE = 'no route to this number'
const NO_WISHES: RouteWishes = {}

function carriersOf(message: Message, tools: ChoiceTools): readonly Carrier[] | string {
  // Whatever the routes say.
  if (message.test) return testCarriersOf(message, tools)
  const routes = routesOf(message, tools)
  const first = routes[0]
  if (first === undefined) return NO_ROUTE
  const carriers = routes.flatMap(({ carrierId }) => tools.fleet.get(carrierId) ?? [])
  return carriers.length > 0 ? carriers : `carrier ${first.carrierId} is not running`
}

function testCarriersOf(message: Message, { fleet }: ChoiceTools): readonly Carrier[] | string {
  const carrier = fleet.get(TEST_CARRIERS[channelOf(message)])
  return carrier === undefined ? 'the simulated carriers do not run' : [carrier]
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
