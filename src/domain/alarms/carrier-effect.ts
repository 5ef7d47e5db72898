/** What a carrier that fails means for messages: which ones, how many wait, and whether other carriers take them. */

import { descriptorOf } from '../channels/channel.ts'
import { writeSums } from '../money/headline.ts'
import type { Amount } from '../money/ledger.ts'
import { countryName, countryOf } from '../numbers/country.ts'
import type { Phone } from '../numbers/phone.ts'
import type { Route, RouteTable } from '../routing/route.ts'

/** Of a carrier with more routes, only so many are looked at. */
const MAX_ROUTES = 50
const MAX_NAMED = 5
const NO_ACCOUNT = 0 as NonNullable<Route['accountId']>

export interface CarrierFacts {
  readonly routes: RouteTable
  /** Returns the money on hold for each message that this gateway holds for the carrier. */
  readonly holdsFor: (carrierId: string) => Iterable<Amount>
}

/** `waiting` are the messages that this gateway holds for it. */
export function carrierEffect(
  { id, waiting }: { readonly id: string; readonly waiting: number },
  { routes, holdsFor }: CarrierFacts,
): string {
  const own = routes.ofCarrier(id).slice(0, MAX_ROUTES)
  const [first] = own
  if (first === undefined) return 'no route leads to it, so no message is affected'
  const channel = first.channel === 'lookup' ? 'Lookups' : descriptorOf(first.channel).label.en
  const isAlone = own.filter((route) => !hasOther(route, routes)).length
  const others =
    isAlone === 0
      ? 'other carriers take new ones'
      : isAlone === own.length
        ? 'no other carrier has a route there, so they wait until their lifetime ends'
        : 'other carriers have routes for a part of them'
  const sums = writeSums(holdsFor(id))
  const further = sums === '' ? others : `${sums} on hold for them; ${others}`
  return `${channel} to ${places(own)}: ${waiting} wait here; ${further}`
}

function hasOther({ carrierId, channel, prefix, accountId, sender }: Route, routes: RouteTable): boolean {
  // The time only decides which costs rank the routes.
  const step = { channel, phone: prefix as Phone, operator: null, accountId: accountId ?? NO_ACCOUNT, at: 0 }
  return routes.candidates({ ...step, sender: sender ?? '' }, 0).some((route) => route.carrierId !== carrierId)
}

function places(routes: readonly Route[]): string {
  const names = [...new Set(routes.map(({ prefix }) => placeOf(prefix)))]
  const rest = names.length - MAX_NAMED
  return rest > 0 ? `${names.slice(0, MAX_NAMED).join(', ')} and ${rest} more` : names.join(', ')
}

function placeOf(prefix: string): string {
  if (prefix === '') return 'all numbers'
  return countryName(countryOf(prefix as Phone)) ?? `+${prefix}`
}
