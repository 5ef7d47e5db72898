/**
 * A kind of configured item, defined once: its public fields, key, rules, and the changes that set and remove one.
 * Configuration files and their differences, endpoints, commands and the audit log are built from it
 * (docs/decisions/0020-one-definition-per-resource.md).
 */
import type { TProperties } from 'typebox'
import type { CarrierSetup, DirectoryRows } from '../../../domain/directory/directory.ts'
import type { PriceGroup } from '../../../domain/money/price.ts'
import type { NumberPool } from '../../../domain/routing/route.ts'
import type { RoutingChange } from '../../../ports/changes/routing-change.ts'
import type { HookGuard } from '../../request/check-hook.ts'
import type { SettingsCheck } from '../fields/carrier-kinds.ts'
import {
  defineFields,
  type FieldDrafts,
  type Fields,
  inputSchemas,
  partialSchemas,
  readPublicFields,
  viewOf,
  viewSchemas,
  withDefaults,
} from '../fields/fields.ts'

/** What an item may refer to, in the state after the change. */
export interface SetUp {
  readonly rows: DirectoryRows
  readonly carriers: readonly CarrierSetup[]
  readonly pools: readonly NumberPool[]
  readonly priceGroups: readonly PriceGroup[]
  readonly checkSettings: SettingsCheck
  /** For items with hooks. */
  readonly hookGuard?: HookGuard | undefined
}

interface Draft<T extends object> {
  /** Section name in a configuration file. */
  readonly section: string
  readonly fields: FieldDrafts<T>
  /** Identifying fields; empty if there is only one item. */
  readonly key: readonly (keyof T)[]
  /** Sort order in a configuration file; the key if absent. */
  readonly order?: readonly (keyof T)[]
  /** Fields with a default that configuration files still name. */
  readonly explicit?: readonly (keyof T)[]
  /** A file changes only the items and fields that it names; it neither creates nor removes any. */
  readonly isPartial?: true
  /** Others refer to it: created before them, removed after them. */
  readonly isReferredTo?: true
  items(rows: DirectoryRows): readonly T[]
  /** Returns the item to store. Throws ChangeRefused if a value breaks a rule. */
  check(item: T, setUp: SetUp): T
  /** Fields that requests omit, because the referenced item determines them. */
  readonly derived?: readonly (keyof T)[]
  /** Returns the item completed from what it refers to. Throws ChangeRefused if that does not exist. */
  refer?(item: T, setUp: SetUp): T
  /** Throws ChangeRefused if two items exclude each other. */
  checkTogether?(items: readonly T[]): void
  /** A unique description. */
  describe(item: T): string
  set(item: T): RoutingChange
  /** Null if items are never removed. */
  readonly remove: ((item: T) => RoutingChange) | null
  /**
   * Values that a difference compares, by name, objects field by field; the public fields outside the key if absent.
   */
  details?(item: T): object
  /** Whether a difference hides this value. */
  isSecret?(text: string, path: string): boolean
  /** Subject in the audit log; `describe` if absent. */
  subject?(item: T): string
  /** Values in the audit log; the public fields if absent. */
  audited?(item: T): object
}

/** A Draft without its item type, so that resources fit into one list. */
export interface Resource<T extends object = object>
  extends Omit<Draft<T>, 'fields' | 'key' | 'order' | 'explicit' | 'derived' | 'remove'> {
  readonly fields: Fields<T>
  readonly key: readonly string[]
  readonly order: readonly string[]
  readonly explicit: readonly string[]
  readonly derived: readonly string[]
  remove: ((item: never) => RoutingChange) | null
}

export function resource<T extends object>(draft: Draft<T>): Resource<T> {
  const names = (keys: readonly (keyof T)[]) => keys.map(String)
  const { key, order = key, explicit = [], derived = [] } = draft
  const fields = defineFields(draft.fields)
  return { ...draft, fields, key: names(key), order: names(order), explicit: names(explicit), derived: names(derived) }
}

function some<T extends object>({ fields }: Resource<T>, isWanted: (key: string) => boolean): Fields<T> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => isWanted(key))) as unknown as Fields<T>
}

/** Fields of a request that sets an item. */
export function inputFields<T extends object>(resource: Resource<T>, ...without: readonly (keyof T)[]): Fields<T> {
  return some(resource, (key) => !resource.derived.includes(key) && !without.includes(key as keyof T))
}

/** Fields of a request that names an item. */
export function keyFields<T extends object>(resource: Resource<T>): Fields<T> {
  return some(resource, (key) => resource.key.includes(key) && !resource.derived.includes(key))
}

/** Reads the item of a request or file entry. Throws ChangeRefused. */
export function readItem<T extends object>(resource: Resource<T>, shown: object, setUp: SetUp): T {
  const item = readPublicFields(resource.fields, withDefaults(resource.fields, shown)) as T
  return checkItem(resource, item, setUp)
}

/** Returns the item to store. Throws ChangeRefused. */
export function checkItem<T extends object>(resource: Resource<T>, item: T, setUp: SetUp): T {
  return resource.check(resource.refer?.(item, setUp) ?? item, setUp)
}

/** Returns the default fields of an item. */
export function defaultsOf<T extends object>({ fields }: Resource<T>): Partial<T> {
  return readPublicFields(fields, withDefaults(fields, {}))
}

/** Lookups in the same rows after which an index is made: a configuration looks up as many items as there are. */
const MAX_SEARCHES = 16

interface Lookups {
  searches: number
  index: ReadonlyMap<string, object> | null
}

const lookups = new WeakMap<DirectoryRows, Map<Resource, Lookups>>()

/** Returns the existing item with the same key. */
export function findSame<T extends object>(resource: Resource<T>, item: object, rows: DirectoryRows): T | null {
  const of = lookups.get(rows) ?? new Map<Resource, Lookups>()
  lookups.set(rows, of)
  const known = of.get(resource) ?? { searches: 0, index: null }
  of.set(resource, known)
  known.searches += 1
  if (known.searches <= MAX_SEARCHES) {
    const { key, items } = resource
    return items(rows).find((each) => key.every((name) => Reflect.get(each, name) === Reflect.get(item, name))) ?? null
  }
  // Of several with the same key, the first.
  known.index ??= new Map([...resource.items(rows)].reverse().map((each) => [nameByKey(resource, each), each]))
  return (known.index.get(nameByKey(resource, item)) as T | undefined) ?? null
}

function nameByKey<T extends object>({ key }: Resource<T>, item: object): string {
  return JSON.stringify(key.map((name) => [typeof Reflect.get(item, name), Reflect.get(item, name)]))
}

export function setUpOf(rows: DirectoryRows, checkSettings: SettingsCheck): SetUp {
  const { carriers, pools, priceGroups } = rows
  return { rows, carriers, pools, priceGroups, checkSettings }
}

/** Whether there is only one, an object in configuration files. */
export function isSingle({ key }: Resource): boolean {
  return key.length === 0
}

/** Schemas of an entry in a configuration file. */
export function entrySchemas(resource: Resource): TProperties {
  const { fields, explicit, isPartial = false } = resource
  const others = isPartial ? partialSchemas(fields) : inputSchemas(fields)
  return { ...others, ...viewSchemas(some(resource, (key) => explicit.includes(key))) }
}

/** Yields the items in the order of a configuration file, one at a time. */
export function* viewsInOrder<T extends object>({ fields, order, items }: Resource<T>, rows: DirectoryRows) {
  const keyed = items(rows).map((item) => {
    return { item, key: order.map((name) => sortable(Reflect.get(item, name))).join(' ') }
  })
  for (const { item } of keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))) yield viewOf(fields, item)
}

/** Pads numbers, so that 9 comes before 10. */
function sortable(value: unknown): string {
  return typeof value === 'number' ? String(value).padStart(16, '0') : String(value ?? '')
}
