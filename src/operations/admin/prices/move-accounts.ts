/** Moves accounts to a price group, after a preview of the prices that change for each. */
import Type, { type Static } from 'typebox'
import type { Account } from '../../../domain/accounts/account.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { distinctNumbers } from '../../../domain/money/distinct-numbers.ts'
import { type Micros, toDecimal } from '../../../domain/money/money.ts'
import { GroupMemberships, isOwnedBy, ownersOf, type Price, Tariff } from '../../../domain/money/price.ts'
import { isValid } from '../../../domain/money/rate.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import { PrefixTable } from '../../../domain/numbers/prefix-table.ts'
import { writeMoment } from '../../../domain/time/moment.ts'
import { filterInSlices, mapInSlices, runInSlices } from '../../../ports/system/slices.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { setUpOf } from '../endpoint/resource.ts'
import { accountRow } from '../fields/account-row.ts'
import { checkField } from '../fields/field-refused.ts'
import { ACCOUNT, CHANNEL, CURRENCY, FINANCE, MONEY, nullable, readTimeField, whole } from '../fields/shapes.ts'
import { DRY_RUN } from './import-tariff.ts'
import { GROUP_ID } from './price.ts'
import { GROUP_MEMBERSHIP } from './price-group.ts'

const MAX_ACCOUNTS = 100
/** Changed prices shown of each account. */
const MAX_CHANGES = 5
const PRICE = nullable(MONEY, { description: 'null for none: the channel cannot be used' })

const Moved = Type.Object({
  account: ACCOUNT,
  name: Type.String(),
  currency: CURRENCY,
  before: nullable(GROUP_ID, { description: 'the group at that time without the move' }),
  until: nullable(Type.String(), { description: 'when a later move follows; null for none' }),
  changed: whole({ description: 'prices that change' }),
  changes: Type.Array(
    Type.Object({
      channel: CHANNEL,
      prefix: Type.String(),
      operator: nullable(Type.String()),
      old_price: PRICE,
      new_price: PRICE,
    }),
    { description: `the first ${MAX_CHANGES}` },
  ),
})

export const MOVE_ACCOUNTS = endpoint({
  name: 'moveToPriceGroup',
  method: 'POST',
  path: '/price-group-moves',
  command: 'price-group move',
  summary: 'move accounts to a price group, now or from a day on; returns which prices change for each',
  may: FINANCE,
  body: {
    accounts: Type.Array(ACCOUNT, {
      minItems: 1,
      maxItems: MAX_ACCOUNTS,
      uniqueItems: true,
      description: `at most ${MAX_ACCOUNTS}`,
      examples: ['1,2'],
    }),
    group: Type.Optional(nullable(GROUP_ID, { default: null, description: 'the price group; none by default' })),
    from: Type.Optional(
      nullable(Type.String(), {
        default: null,
        description: 'first day or time (RFC 3339) in the group; now by default',
      }),
    ),
    dry_run: DRY_RUN,
  },
  result: Type.Object({ applied: Type.Boolean(), accounts: Type.Array(Moved) }),
  run: async ({ store, clock }, { accounts, group = null, from = null, dry_run: dryRun = false }) => {
    const now = clock.now()
    const at = from === null ? now : readTimeField<never>('from', from)
    checkField('from', at >= now, 'must not be in the past; leave it out to move the accounts now')
    const rows = await store.loadDirectory()
    const memberships = accounts.map((account) => ({ accountId: toAccountId(account), from: at, group }))
    for (const each of memberships)
      GROUP_MEMBERSHIP.check(
        each,
        setUpOf(rows, () => {}),
      )
    const moved = await previewMove(rows, {
      accounts: memberships.map(({ accountId }) => accountRow(rows, accountId)),
      group,
      at,
    })
    if (!dryRun) {
      await store.change({ kind: 'all', revision: rows.revision, changes: memberships.map(GROUP_MEMBERSHIP.set) })
    }
    return { applied: !dryRun, accounts: [...moved] }
  },
})

interface Move {
  readonly accounts: readonly Account[]
  readonly group: string | null
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Compares what each account pays at that time in the group and in the one where it would be otherwise. */
async function previewMove(
  rows: DirectoryRows,
  { accounts, group, at }: Move,
): Promise<readonly Static<typeof Moved>[]> {
  const others = rows.groupMemberships.filter(({ from }) => from !== at)
  const memberships = new GroupMemberships(others)
  const prices = await filterInSlices(rows.prices, (price) => isValid(price, at))
  const tariff = await runInSlices(Tariff.build(prices))
  const withOwn = new Set(prices.map(({ accountId }) => accountId))
  const ofCurrency = new Map<string, ReturnType<typeof comparePrices>>()
  const moved = []
  for (const { id, name, currency } of accounts) {
    const before = memberships.groupOf(id, at)
    const starts = others.flatMap(({ accountId, from }) =>
      accountId === id && from !== null && from > at ? [from] : [],
    )
    const until = starts.length === 0 ? null : writeMoment(Math.min(...starts))
    // Accounts without prices of their own pay the same.
    const key = [before, currency, withOwn.has(id) ? id : null].join(' ')
    const changes = ofCurrency.get(key) ?? comparePrices(tariff, prices, { id, currency, at, groups: [before, group] })
    ofCurrency.set(key, changes)
    const all = await changes
    moved.push({ account: id, name, currency, before, until, changed: all.length, changes: all.slice(0, MAX_CHANGES) })
  }
  return moved
}

interface Compared extends Pick<Account, 'id' | 'currency'> {
  readonly at: number
  readonly groups: readonly [before: string | null, after: string | null]
}

/** Compares all that the account may pay: what a group has no price for falls back to the general ones. */
async function comparePrices(
  tariff: Tariff,
  prices: readonly Price[],
  { id, currency, at, groups: [before, after] }: Compared,
): Promise<Static<typeof Moved>['changes']> {
  if (before === after) return []
  const owners = [...ownersOf(id, before), ...ownersOf(id, after)]
  const paid = await filterInSlices(
    prices,
    (price) => price.currency === currency && owners.some((owner) => isOwnedBy(price, owner)),
  )
  const ofChannels = [...Map.groupBy(paid, ({ channel }) => channel)]
  const compared = ofChannels.map(async ([channel, its]) => {
    const seen = new Map<string | null, PrefixTable<readonly [Micros | null, Micros | null]>>()
    const changes = await mapInSlices(shortestFirst([...distinctNumbers(its)]), ({ prefix, operator }) => {
      const asked = { accountId: id, currency, channel, phone: prefix as Phone, operator, at }
      const [old, now] = [tariff.priceOf(asked, before), tariff.priceOf(asked, after)]
      const wider = seen.get(operator)?.find(asked.phone) ?? seen.get(null)?.find(asked.phone)
      const ofOperator = seen.get(operator) ?? new PrefixTable()
      ofOperator.set(prefix, [old, now])
      seen.set(operator, ofOperator)
      const isSaid = wider !== null && wider !== undefined && wider[0] === old && wider[1] === now
      if (old === now || isSaid) return []
      return [{ channel, prefix, operator, old_price: view(old), new_price: view(now) }]
    })
    return changes.flat()
  })
  return (await Promise.all(compared)).flat()
}

/** All operators before each, and shorter prefixes before longer ones: what is said of many need not be said again. */
function shortestFirst(numbers: readonly Pick<Price, 'prefix' | 'operator'>[]) {
  return numbers.toSorted((a, b) => {
    return Number(a.operator !== null) - Number(b.operator !== null) || a.prefix.length - b.prefix.length
  })
}

function view(price: Micros | null): number | null {
  return price === null ? null : toDecimal(price)
}
