/** Finds out whether an account can send by a channel, by trying it where it may send, and what it lacks. */
import { ITEM_ERRORS } from '../../../contract/request/error-texts.ts'
import { type Channel, carriesTexts } from '../../../domain/channels/channel.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { RatedNumber } from '../../../domain/money/rate.ts'
import { type Country, countryOf } from '../../../domain/numbers/country.ts'
import { exampleOfCountry } from '../../../domain/numbers/example-number.ts'
import type { ExplainRouting } from '../../../ports/carriers/routing.ts'
import type { Scope } from '../../request/planned.ts'
import { findObstacles } from '../trials/find-obstacles.ts'
import { type TriedStep, tryStep } from '../trials/try-steps.ts'
import { destinationsOf } from './destinations.ts'

export type ChannelPoint = 'carrier' | 'route' | 'price' | 'sender' | 'destination' | 'balance' | 'limit'

interface Lack {
  readonly point: ChannelPoint
  /** Carrier or limit that it is about; null for none. */
  readonly about: string | null
}

export interface TriedChannel {
  readonly channel: Channel
  /** Empty if it can send to some number. */
  readonly lacks: readonly Lack[]
}

export interface ChecklistTools {
  readonly rows: DirectoryRows
  readonly explain: ExplainRouting
}

/** Longer than no text; it has one part. */
const TEXT = 'x'
/** Approved names of a channel that are tried. */
const MAX_SENDERS = 20

/** Rejects with StoreError. */
export async function tryChannel(scope: Scope, channel: Channel, tools: ChecklistTools): Promise<TriedChannel> {
  const best = findBest(scope, channel, tools)
  if (best === null) return { channel, lacks: [{ point: 'destination', about: null }] }
  const { number, tried, lacks } = best
  const obstacles = await findObstacles(scope, number.phone, [tried])
  const used = obstacles.flatMap(({ guard, detail }): readonly Lack[] =>
    guard === 'balance' || guard === 'limit' ? [{ point: guard, about: guard === 'limit' ? detail : null }] : [],
  )
  return { channel, lacks: [...lacks, ...used] }
}

interface Candidate {
  readonly number: RatedNumber
  readonly tried: TriedStep
  readonly lacks: readonly Lack[]
}

/** Returns the number and sender that lack least; null without a number that the account may reach. */
function findBest(scope: Scope, channel: Channel, { rows, explain }: ChecklistTools): Candidate | null {
  const senders = sendersOf(scope, rows, channel)
  const hasCarrier = rows.carriers.some((carrier) => carrier.channel === channel)
  let best: Candidate | null = null
  for (const number of destinationsOf(scope, rows, channel)) {
    for (const sender of senders) {
      const tried = tryStep(scope, number, { channel, sender, text: TEXT }, explain)
      const lacks = lacksOf(tried, hasCarrier)
      if (best === null || lacks.length < best.lacks.length) best = { number, tried, lacks }
      if (lacks.length === 0) return best
    }
  }
  return best
}

/** Returns the countries that the account allows and has no price or no route to by the channel. */
export function unreachedCountries(
  scope: Scope,
  channel: Channel,
  { rows, explain }: ChecklistTools,
): readonly Country[] {
  const { allowedCountries } = scope.account.settings
  if (allowedCountries === null) return []
  const [sender = null] = sendersOf(scope, rows, channel)
  const examples = allowedCountries.flatMap((country): readonly RatedNumber[] => {
    const phone = exampleOfCountry(country)
    return phone === null ? [] : [{ phone, operator: scope.lookup.operatorOf(phone) }]
  })
  const reached = new Set<Country | null>()
  for (const number of [...examples, ...destinationsOf(scope, rows, channel)]) {
    const country = countryOf(number.phone)
    if (reached.has(country)) continue
    const { step, routing } = tryStep(scope, number, { channel, sender, text: TEXT }, explain)
    if (step !== null && routing.carrierId !== null) reached.add(country)
  }
  return allowedCountries.filter((country) => !reached.has(country))
}

/** Null stands for no sender: routes that are not for single senders apply. */
function sendersOf({ account }: Scope, { senders }: DirectoryRows, channel: Channel): readonly (string | null)[] {
  const own = senders.filter((sender) => {
    return sender.accountId === account.id && sender.channel === channel && sender.state === 'approved'
  })
  return own.length === 0 ? [null] : own.slice(0, MAX_SENDERS).map(({ name }) => name)
}

function lacksOf({ channel, sender, refused, step, routing }: TriedStep, hasCarrier: boolean): readonly Lack[] {
  const points: Lack[] = []
  if (carriesTexts(channel) && (sender === null || refused === ITEM_ERRORS.alphaName))
    points.push({ point: 'sender', about: null })
  const [first] = routing.routes
  if (first === undefined) {
    if (!hasCarrier) points.push({ point: 'carrier', about: null })
    points.push({ point: 'route', about: null })
  } else if (routing.carrierId === null || routing.waits) {
    points.push({ point: 'carrier', about: routing.carrierId ?? first.route.carrierId })
  }
  // Without a route, a call is refused before it is priced.
  const isUnpriced = step === null && (channel !== 'call' || first !== undefined)
  return isUnpriced ? [...points, { point: 'price', about: null }] : points
}
