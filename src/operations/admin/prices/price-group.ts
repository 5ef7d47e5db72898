/** Price groups: accounts of a group pay its prices where they have none of their own. */
import Type from 'typebox'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { type GroupMembership, GroupMemberships, inOrderOfStart, type PriceGroup } from '../../../domain/money/price.ts'
import { VALIDITY_STATES, validityState } from '../../../domain/money/rate.ts'
import { writeMoment } from '../../../domain/time/moment.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { checkItem, resource, setUpOf } from '../endpoint/resource.ts'
import { removeEndpoint } from '../endpoint/resource-endpoints.ts'
import { accountRow } from '../fields/account-row.ts'
import { checkNew } from '../fields/field-refused.ts'
import { ACCOUNT_ID, field } from '../fields/fields.ts'
import { checkId } from '../fields/label.ts'
import {
  ACCOUNT,
  BOOK_READERS,
  CURRENCY,
  FINANCE,
  nullable,
  ONLY_NEW,
  PAGING,
  pageOf,
  whole,
} from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { VALIDITY_FILTER } from '../rates/filter-rates.ts'
import { describeStart, VALIDITY } from '../rates/set-rate.ts'
import { checkGroup, GROUP_ID, PRICES } from './price.ts'

export const PRICE_GROUP = resource<PriceGroup>({
  section: 'price_groups',
  key: ['id'],
  isReferredTo: true,
  fields: { id: field('group', GROUP_ID) },
  items: ({ priceGroups }) => priceGroups,
  check: (group) => {
    checkId('group', 'the id of a price group', group.id)
    return group
  },
  describe: ({ id }) => `price group ${id}`,
  set: (group) => ({ kind: 'set price group', group }),
  remove: (group) => ({ kind: 'remove price group', group }),
})

export const GROUP_MEMBERSHIP = resource<GroupMembership>({
  section: 'price_group_memberships',
  key: ['accountId', 'from'],
  explicit: ['group'],
  fields: {
    accountId: field('account', ACCOUNT, ACCOUNT_ID),
    from: VALIDITY.from,
    group: nullable(GROUP_ID, { default: null, description: 'the price group from then on; null for none' }),
  },
  items: ({ groupMemberships }) => groupMemberships,
  check: (membership, { rows, priceGroups }) => {
    const { accountId, group } = membership
    if (accountRow(rows, accountId).state === 'closed') throw new ChangeRefused(`account ${accountId} is closed`)
    if (group !== null) checkGroup(priceGroups, group)
    return membership
  },
  describe: (membership) => `price group of account ${membership.accountId}${describeStart(membership)}`,
  set: (membership) => ({ kind: 'set group membership', membership }),
  remove: (membership) => ({ kind: 'remove group membership', membership }),
})

export const PRICE_GROUP_CHANGES = {
  'set price group': { ...PRICES, audit: ({ group }, rows) => itemSet(PRICE_GROUP, group, rows) },
  'remove price group': { ...PRICES, audit: ({ group }, rows) => itemRemoved(PRICE_GROUP, group, rows) },
  'set group membership': { ...PRICES, audit: ({ membership }, rows) => itemSet(GROUP_MEMBERSHIP, membership, rows) },
  'remove group membership': {
    ...PRICES,
    audit: ({ membership }, rows) => itemRemoved(GROUP_MEMBERSHIP, membership, rows),
  },
} satisfies Changes

const Group = Type.Object({
  group: GROUP_ID,
  accounts: whole({ description: 'accounts that belong to it now' }),
  later: whole({ description: 'other accounts that will belong to it' }),
  prices: whole({ description: 'prices of the group' }),
})

const Stay = Type.Object({
  account: ACCOUNT,
  from: nullable(Type.String(), { description: 'first day or time in the group; null for no beginning' }),
  until: nullable(Type.String(), { description: 'first day or time no longer in the group; null for no end' }),
  group: nullable(GROUP_ID, { description: 'null for none' }),
  state: Type.Enum([...VALIDITY_STATES]),
})

const Member = Type.Object({
  account: ACCOUNT,
  name: Type.String(),
  currency: CURRENCY,
  from: nullable(Type.String(), { description: 'first day or time in the group; null for no beginning' }),
  until: nullable(Type.String(), { description: 'first day or time no longer in the group; null for no end' }),
})

export const PRICE_GROUP_ENDPOINTS = [
  endpoint({
    name: 'listPriceGroups',
    method: 'GET',
    path: '/price-groups',
    command: 'price-group list',
    summary: 'list price groups, with how many accounts and prices they have',
    may: BOOK_READERS,
    query: {
      ...PAGING,
      search: Type.Optional(Type.String({ maxLength: 40, description: 'only ids with this text' })),
    },
    result: pageOf(Group),
    run: async ({ store, clock }, { search = '', ...paging }) => {
      const rows = await store.loadDirectory()
      const memberships = new GroupMemberships(rows.groupMemberships)
      const now = clock.now()
      const accounts = [...new Set(rows.groupMemberships.map(({ accountId }) => accountId))].map((id) => {
        return { present: memberships.groupOf(id, now), all: memberships.groupsFrom(id, now) }
      })
      const found = rows.priceGroups.filter(({ id }) => id.includes(search.toLowerCase()))
      return takePage(found, paging, ({ id }) => ({
        group: id,
        accounts: accounts.filter(({ present }) => present === id).length,
        later: accounts.filter(({ present, all }) => present !== id && all.includes(id)).length,
        prices: rows.prices.filter(({ group }) => group === id).length,
      }))
    },
  }),
  endpoint({
    name: 'setPriceGroup',
    method: 'PUT',
    path: '/price-groups/{group}',
    command: 'price-group add',
    summary: 'create a price group; set its prices by price set --group, and its accounts by price-group move',
    may: FINANCE,
    params: { group: GROUP_ID },
    body: { new: ONLY_NEW },
    result: Type.Object({ group: GROUP_ID }),
    run: async ({ store }, { group, new: onlyNew }) => {
      const rows = await store.loadDirectory()
      const before = rows.priceGroups.find(({ id }) => id === group)
      checkNew(onlyNew, before, 'group', `price group ${group}`)
      const checked = checkItem(
        PRICE_GROUP,
        { id: group },
        setUpOf(rows, () => {}),
      )
      await store.change(PRICE_GROUP.set(checked))
      return { group }
    },
  }),
  endpoint({
    name: 'removePriceGroup',
    method: 'DELETE',
    path: '/price-groups/{group}',
    command: 'price-group remove',
    summary: 'remove a price group and its prices; refused while an account belongs to it, now or later',
    may: FINANCE,
    params: { group: GROUP_ID },
    run: ({ store, clock }, { group }) => removePriceGroup(store, group, clock.now()),
  }),
  endpoint({
    name: 'listGroupAccounts',
    method: 'GET',
    path: '/price-groups/{group}/accounts',
    command: 'price-group accounts',
    summary: 'list the accounts that belong to a price group, now or later',
    may: BOOK_READERS,
    params: { group: GROUP_ID },
    query: PAGING,
    result: pageOf(Member),
    run: async ({ store, clock }, { group, ...paging }) => {
      const rows = await store.loadDirectory()
      checkGroup(rows.priceGroups, group)
      const found = stays(rows).filter((each) => each.group === group && (each.until ?? Infinity) > clock.now())
      return takePage(found, paging, ({ accountId, from, until }) => {
        const { id: account, name, currency } = accountRow(rows, accountId)
        return { account, name, currency, from: momentOf(from), until: momentOf(until) }
      })
    },
  }),
  endpoint({
    name: 'listGroupMemberships',
    method: 'GET',
    path: '/price-group-memberships',
    command: 'price-group history',
    summary: 'list which accounts belong to which price group from when on, also in the past',
    may: BOOK_READERS,
    query: {
      ...PAGING,
      account: Type.Optional(ACCOUNT),
      group: Type.Optional(GROUP_ID),
      state: VALIDITY_FILTER,
    },
    result: pageOf(Stay),
    run: async ({ store, clock }, { account, group, state, ...paging }) => {
      const now = clock.now()
      const found = stays(await store.loadDirectory()).filter(
        (stay) =>
          (account === undefined || stay.accountId === account) &&
          (group === undefined || stay.group === group) &&
          (state === undefined || validityState(stay, now) === state),
      )
      return takePage(found, paging, (stay) => ({
        account: stay.accountId,
        from: momentOf(stay.from),
        until: momentOf(stay.until),
        group: stay.group,
        state: validityState(stay, now),
      }))
    },
  }),
  removeEndpoint(GROUP_MEMBERSHIP, {
    name: 'removeGroupMembership',
    path: '/price-group-memberships',
    command: 'price-group cancel',
    summary: 'cancel a move of an account: it stays in the price group that it was in before',
    may: FINANCE,
  }),
]

function momentOf(at: number | null): string | null {
  return at === null ? null : writeMoment(at)
}

/** Returns memberships with their ends, by account and start. */
function stays({ groupMemberships }: DirectoryRows) {
  return [...Map.groupBy(groupMemberships, ({ accountId }) => accountId).values()].flatMap((its) =>
    inOrderOfStart(its).map((each, place, all) => ({ ...each, until: all[place + 1]?.from ?? null })),
  )
}

/** Memberships that are over go with it; the audit log keeps them. */
async function removePriceGroup(store: SetupStore, group: string, now: number): Promise<void> {
  const rows = await store.loadDirectory()
  const memberships = new GroupMemberships(rows.groupMemberships)
  const named = rows.groupMemberships.filter((each) => each.group === group)
  const members = [...new Set(named.map(({ accountId }) => accountId))].filter((id) =>
    memberships.groupsFrom(id, now).includes(group),
  )
  if (members.length > 0) {
    const first = members.slice(0, MAX_NAMED).join(', ')
    const more = members.length > MAX_NAMED ? ` and ${members.length - MAX_NAMED} more` : ''
    throw new ChangeRefused(
      `accounts belong to the price group ${group}, now or later: ${first}${more}; move them first`,
    )
  }
  const changes = [
    ...named.map((membership) => ({ kind: 'remove group membership', membership }) as const),
    { kind: 'remove price group', group: { id: group } } as const,
  ]
  await store.change({ kind: 'all', revision: rows.revision, changes })
}

/** Accounts named in a refusal. */
const MAX_NAMED = 5
