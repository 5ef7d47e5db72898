/**
 * A kind of thing that operators set up, defined once: its public fields, what tells one from the others, the rules of its
 * values, and the changes that make and remove one. Configuration files, the difference that applying one makes, endpoints,
 * commands and the audit log are all made of it (docs/decisions/0020-one-definition-per-resource.md).
 */
import type { TProperties } from 'typebox'
import type { CarrierSetup, DirectoryRows } from '../../domain/directory.ts'
import type { NumberPool } from '../../domain/route.ts'
import type { RoutingChange } from '../../ports/routing-change.ts'
import type { CheckSettings } from './carriers/carrier-kinds.ts'
import {
  defineFields,
  type FieldDrafts,
  type Fields,
  inputSchemas,
  partialSchemas,
  readFields,
  viewOf,
  viewSchemas,
  withDefaults,
} from './fields.ts'

/** What an item may refer to, as it will be when the change is made. */
export interface SetUp {
  readonly rows: DirectoryRows
  readonly carriers: readonly CarrierSetup[]
  readonly pools: readonly NumberPool[]
  readonly checkSettings: CheckSettings
}

interface Draft<T extends object> {
  /** Its name in a configuration file. */
  readonly section: string
  readonly fields: FieldDrafts<T>
  /** What tells one from the others; nothing, where there is only one. */
  readonly key: readonly (keyof T)[]
  /** The fields that a configuration file is sorted by; the key without it. */
  readonly order?: readonly (keyof T)[]
  /** Fields with a default that a configuration file names all the same. */
  readonly explicit?: readonly (keyof T)[]
  /** A file changes those that it names, and fields of them; it makes and removes none. */
  readonly isPartial?: true
  /** Others refer to it: it is there before them, and goes after them. */
  readonly isReferredTo?: true
  items(rows: DirectoryRows): readonly T[]
  /** Returns the item as it is kept. Throws a ChangeRefused if the values break a rule. */
  check(item: T, setUp: SetUp): T
  /** Fields that requests leave out, since what the item refers to says them. */
  readonly derived?: readonly (keyof T)[]
  /** Returns the item with what it refers to says of it. Throws a ChangeRefused if that will not be there. */
  refer?(item: T, setUp: SetUp): T
  /** Throws a ChangeRefused if two of them exclude each other. */
  checkTogether?(items: readonly T[]): void
  /** What it is called, in words; no two are called the same. */
  describe(item: T): string
  set(item: T): RoutingChange
  /** Null for what is never removed. */
  readonly remove: ((item: T) => RoutingChange) | null
  /** What a difference compares, by name; objects in it field by field. Without it, the public fields outside the key. */
  details?(item: T): object
  /** Whether a difference hides the text of the detail. */
  isSecret?(text: string, path: string): boolean
  /** What the audit log calls it; without it, as in `describe`. */
  subject?(item: T): string
  /** What the audit log keeps of it; without it, the public fields. */
  audited?(item: T): object
}

/** A Draft whose names are not bound to its items, so that resources can stand in one list. */
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

/** The fields of a request that sets one. */
export function inputFields<T extends object>(resource: Resource<T>, ...without: readonly (keyof T)[]): Fields<T> {
  return some(resource, (key) => !resource.derived.includes(key) && !without.includes(key as keyof T))
}

/** The fields of a request that names one. */
export function keyFields<T extends object>(resource: Resource<T>): Fields<T> {
  return some(resource, (key) => resource.key.includes(key) && !resource.derived.includes(key))
}

/** The item that a request or an entry of a file describes. Throws a ChangeRefused. */
export function readItem<T extends object>(resource: Resource<T>, shown: object, setUp: SetUp): T {
  const item = readFields(resource.fields, withDefaults(resource.fields, shown)) as T
  return checkItem(resource, item, setUp)
}

/** Returns the item as it is kept. Throws a ChangeRefused. */
export function checkItem<T extends object>(resource: Resource<T>, item: T, setUp: SetUp): T {
  return resource.check(resource.refer?.(item, setUp) ?? item, setUp)
}

/** The fields of an item of which nothing was said. */
export function defaultsOf<T extends object>({ fields }: Resource<T>): Partial<T> {
  return readFields(fields, withDefaults(fields, {}))
}

/** The item that is there with the same key. */
export function findSame<T extends object>({ key, items }: Resource<T>, item: object, rows: DirectoryRows): T | null {
  return items(rows).find((each) => key.every((name) => Reflect.get(each, name) === Reflect.get(item, name))) ?? null
}

export function setUpOf(rows: DirectoryRows, checkSettings: CheckSettings): SetUp {
  return { rows, carriers: rows.carriers, pools: rows.pools, checkSettings }
}

/** Whether there is only one, which a configuration file has as an object. */
export function isSingle({ key }: Resource): boolean {
  return key.length === 0
}

/** The schemas of an entry in a configuration file. */
export function entrySchemas(resource: Resource): TProperties {
  const { fields, explicit, isPartial = false } = resource
  const others = isPartial ? partialSchemas(fields) : inputSchemas(fields)
  return { ...others, ...viewSchemas(some(resource, (key) => explicit.includes(key))) }
}

/** All of them in the order of a configuration file. Keeps no view. */
export function* viewsInOrder<T extends object>({ fields, order, items }: Resource<T>, rows: DirectoryRows) {
  const keyed = items(rows).map((item) => {
    return { item, key: order.map((name) => sortable(Reflect.get(item, name))).join(' ') }
  })
  for (const { item } of keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))) yield viewOf(fields, item)
}

/** Numbers are padded, so that 9 stands before 10. */
function sortable(value: unknown): string {
  return typeof value === 'number' ? String(value).padStart(16, '0') : String(value ?? '')
}
