/**
 * The rules of a configuration file's changes. Consecutive changes of one kind are applied together: of prices and the
 * like there may be tens of thousands.
 */
import type { RowTable } from '../rows/cells/table.ts'
import type { SealedRoutingChange } from '../rows/sealing/seal-secrets.ts'
import { DIRECTORY_ROWS as TABLES } from '../rows/setup/directory-tables.ts'
import { type SetAccount, setAccount } from './accounts.ts'
import { removeTarget, setTarget } from './alarms.ts'
import { removePriceGroup, removePrices, setGroupMemberships, setPrices, setTariff } from './prices.ts'
import {
  removeCarrier,
  removeCosts,
  removePool,
  replaceCosts,
  setCarrier,
  setCosts,
  setInboundNumbers,
  setQualityRules,
  setRoutes,
} from './routing.ts'
import { put, putItems, type Rule, refuse, removeItems, updateRow } from './row-step.ts'

type SetUpChange = SealedRoutingChange | SetAccount

const SET_UP_RULES: {
  readonly [Kind in SetUpChange['kind']]: (changes: readonly Extract<SetUpChange, { kind: Kind }>[]) => Rule<null>
} = {
  'set account': each(setAccount),
  'set carrier': each(({ carrier }) => setCarrier(carrier)),
  'set draining': each(setDraining),
  'remove carrier': each(({ carrierId }) => removeCarrier(carrierId)),
  'set route': together(({ route }) => route, setRoutes),
  'remove route': together(({ route }) => route, removing(TABLES.routes, 'there is no such route')),
  'set cost': together(({ cost }) => cost, setCosts),
  'set costs': each(({ carrierId, costs }) => replaceCosts(carrierId, costs)),
  'remove cost': together(({ cost }) => cost, removeCosts),
  'set inbound number': together(({ number }) => number, setInboundNumbers),
  'remove inbound number': together(
    ({ number }) => number,
    removing(TABLES.inboundNumbers, 'there is no such inbound number'),
  ),
  'set notification target': each(({ target }) => setTarget(target)),
  'remove notification target': each(({ name }) => removeTarget(name)),
  'set alarm rule': together(({ rule }) => rule, putting(TABLES.alarmRules)),
  'remove alarm rule': together(
    ({ alarmKind }) => ({ kind: alarmKind }),
    removing(TABLES.alarmRules, 'it has its default rule already'),
  ),
  'set quality rule': together(({ rule }) => rule, setQualityRules),
  'remove quality rule': together(({ rule }) => rule, removing(TABLES.qualityRules, 'there is no such rule')),
  'set pool': together(({ pool }) => pool, putting(TABLES.pools)),
  'remove pool': each(({ poolId }) => removePool(poolId)),
  'set price': together(({ price }) => price, setPrices),
  'remove price': together(({ price }) => price, removePrices),
  'set tariff': each(({ owner, currency, prices }) => setTariff(owner, currency, prices)),
  'set price group': together(({ group }) => group, putting(TABLES.priceGroups)),
  'remove price group': each(({ group }) => removePriceGroup(group.id)),
  'set group membership': together(({ membership }) => membership, setGroupMemberships),
  'remove group membership': together(
    ({ membership }) => membership,
    removing(TABLES.groupMemberships, 'the account is moved to no group then'),
  ),
  'set operators': each(({ operators }) => put('operators', { one: 1, content: operators })),
  'set guard settings': each(({ settings }) => put('guard_settings', { one: 1, content: JSON.stringify(settings) })),
  'list number': together(({ number }) => number, putting(TABLES.listedNumbers)),
  'unlist number': together(({ number }) => number, removing(TABLES.listedNumbers, 'there is no such entry')),
}

/** Applies a rule to the items of all changes. */
function together<C, T>(itemOf: (change: C) => T, rule: (items: readonly T[]) => Rule<null>) {
  return (changes: readonly C[]) => rule(changes.map(itemOf))
}

function putting<T>(table: RowTable<unknown, T, never>) {
  return (items: readonly T[]) => putItems(table, items)
}

function removing<Key>(table: RowTable<unknown, never, Key>, absent: string) {
  return (keys: readonly Key[]) => removeItems(table, keys, absent)
}

/** Applies a rule to each change. */
function each<T>(rule: (change: T) => Rule<null>): (changes: readonly T[]) => Rule<null> {
  return function* (changes) {
    for (const change of changes) yield* rule(change)
    return null
  }
}

/** Applies changes of a configuration file, in their order. */
export function* setUp(changes: readonly SetUpChange[]): Rule<null> {
  for (const run of runsOf(changes)) yield* SET_UP_RULES[run[0].kind](run as never)
  return null
}

/** Divides changes into consecutive ones of a kind. */
function* runsOf(changes: readonly SetUpChange[]): Generator<readonly [SetUpChange, ...SetUpChange[]]> {
  let run: [SetUpChange, ...SetUpChange[]] | null = null
  for (const change of changes) {
    if (run !== null && run[0].kind === change.kind) {
      run.push(change)
    } else {
      if (run !== null) yield run
      run = [change]
    }
  }
  if (run !== null) yield run
}

function* setDraining({ carrierId, draining }: Extract<SetUpChange, { kind: 'set draining' }>): Rule<null> {
  const count = yield* updateRow('carrier', { draining: Number(draining) }, { carrier_id: carrierId })
  return count === 0 ? refuse(`there is no carrier ${carrierId}`) : null
}
