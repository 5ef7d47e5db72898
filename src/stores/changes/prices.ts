/** Rules of prices and price groups. */
import {
  type GroupMembership,
  isOwnedBy,
  PRICE_KIND,
  type Price,
  type PriceKey,
  type PriceOwner,
} from '../../domain/money/price.ts'
import { DIRECTORY_ROWS, priceOwnerCells } from '../rows/setup/directory-tables.ts'
import { putRates, raiseRevision, refuseOverlaps } from './rates.ts'
import { find, findValues, putItems, type Rule, refuse, remove, removeItems, requireAccounts } from './row-step.ts'

const { prices: PRICES } = DIRECTORY_ROWS

export function* setPrices(prices: readonly Price[]): Rule<null> {
  yield* requireOwners(prices)
  yield* putRates(PRICES, PRICE_KIND, prices)
  return yield* raiseRevision('prices')
}

export function* removePrices(prices: readonly PriceKey[]): Rule<null> {
  yield* removeItems(PRICES, prices, 'there is no such price')
  return yield* raiseRevision('prices')
}

/** Replaces every price of the owner in the currency. */
export function* setTariff(owner: PriceOwner, currency: string, prices: readonly Price[]): Rule<null> {
  yield* requireOwners([owner])
  if (prices.some((price) => !isOwnedBy(price, owner) || price.currency !== currency)) {
    refuse('a tariff has the prices of one owner in one currency')
  }
  yield* refuseOverlaps(PRICE_KIND, prices)
  yield* remove('price', { ...priceOwnerCells(owner), currency })
  yield* putItems(PRICES, prices)
  return yield* raiseRevision('prices')
}

/** Removes its prices too. */
export function* removePriceGroup(id: string): Rule<null> {
  const members = yield* find('price_group_member', { group_id: id }, ['account_id'])
  if (members.length > 0) refuse(`accounts belong to the price group ${id} (${members.length}): move them first`)
  yield* removeItems(DIRECTORY_ROWS.priceGroups, [{ id }], `there is no price group ${id}`)
  yield* remove('price', { group_id: id })
  return yield* raiseRevision('prices')
}

export function* setGroupMemberships(memberships: readonly GroupMembership[]): Rule<null> {
  yield* requireAccounts(memberships.map(({ accountId }) => accountId))
  yield* requireGroups(memberships.map(({ group }) => group))
  return yield* putItems(DIRECTORY_ROWS.groupMemberships, memberships)
}

function* requireOwners(owners: readonly PriceOwner[]): Rule<null> {
  if (owners.some(({ accountId, group }) => accountId !== null && group !== null)) {
    refuse('a price is for an account or for a group, not for both')
  }
  yield* requireAccounts(owners.map(({ accountId }) => accountId))
  return yield* requireGroups(owners.map(({ group }) => group))
}

/** Refuses the first that does not exist; null stands for no group. */
function* requireGroups(ids: readonly (string | null)[]): Rule<null> {
  const wanted = ids.filter((id) => id !== null)
  const found = yield* findValues('price_group', ['group_id', 'group_id'], wanted)
  const missing = wanted.find((id) => !found.has(id))
  return missing === undefined ? null : refuse(`there is no price group ${missing}`)
}
