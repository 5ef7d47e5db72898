/** Numbers that stand for where an account may send by a channel: those that its prices and routes are for. */
import type { Channel } from '../../../domain/channels/channel.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { isOwnedBy, ownersOf } from '../../../domain/money/price.ts'
import type { RatedNumber } from '../../../domain/money/rate.ts'
import { exampleNumbers } from '../../../domain/numbers/example-number.ts'
import type { Scope } from '../../request/planned.ts'
import { destinationObstacles } from '../trials/find-obstacles.ts'

/** More than an installation has for all numbers, for countries and for operators of one of them. */
const MAX_DESTINATIONS = 300

interface Named {
  readonly prefix: string
  readonly operator: string | null
}

/** For every number, where nothing is named. */
const ANY: Named = { prefix: '', operator: null }

/** Returns one number for each prefix, what is for most numbers first; none that the account may not reach. */
export function destinationsOf(
  scope: Scope,
  { prices, routes }: Pick<DirectoryRows, 'prices' | 'routes'>,
  channel: Channel,
): readonly RatedNumber[] {
  const { account, lookup, directory, now } = scope
  const owners = ownersOf(account.id, directory.priceGroupOf(account.id, now))
  const named: readonly Named[] = [
    ANY,
    ...routes
      .filter((route) => route.channel === channel && (route.accountId === null || route.accountId === account.id))
      .map(({ prefix }) => ({ prefix, operator: null })),
    ...prices.filter(
      (price) =>
        price.channel === channel &&
        price.currency === account.currency &&
        owners.some((owner) => isOwnedBy(price, owner)),
    ),
  ]
  const once = new Map(named.map((each) => [`${each.prefix} ${each.operator}`, each]))
  const widest = [...once.values()].sort((a, b) => a.prefix.length - b.prefix.length).slice(0, MAX_DESTINATIONS)
  return widest.flatMap(({ prefix, operator }) => {
    const mayReach = (phone: RatedNumber['phone']) => destinationObstacles(scope, phone, [{ channel }]).length === 0
    const phone = exampleNumbers(prefix).find(mayReach)
    return phone === undefined ? [] : [{ phone, operator: operator ?? lookup.operatorOf(phone) }]
  })
}
