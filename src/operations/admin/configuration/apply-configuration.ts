/**
 * Makes the setup equal to a configuration in one transaction, or only reports what would change. Each section is
 * complete: items that it does not name are removed. Missing sections stay unchanged.
 */
import type { CarrierSetup, DirectoryRows } from '../../../domain/directory/directory.ts'
import type { PriceGroup } from '../../../domain/money/price.ts'
import type { NumberPool } from '../../../domain/routing/route.ts'
import { mapTexts } from '../../../domain/text/map-texts.ts'
import type { RoutingChange } from '../../../ports/changes/routing-change.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Change, SetupStore } from '../../../ports/stores/setup-store.ts'
import { mapInSlices } from '../../../ports/system/slices.ts'
import type { HookGuard } from '../../request/check-hook.ts'
import type { CheckReceipts } from '../carriers/check-removal.ts'

import { AdminProblem } from '../endpoint/admin-problem.ts'
import { type Resource, readItem, type SetUp, setUpOf } from '../endpoint/resource.ts'
import type { SettingsCheck } from '../fields/carrier-kinds.ts'
import { viewOf } from '../fields/fields.ts'
import { referTo } from '../operators/operators.ts'
import { ChangeList, type ItemChange } from './change-list.ts'
import type { Configuration, Entry } from './configuration.ts'
import { RESOURCES } from './resources.ts'

export interface ApplyOptions {
  readonly checkSettings: SettingsCheck
  readonly hookGuard?: HookGuard
  /** Throws if the caller may not make this change. */
  readonly checkMay: (change: Change, rows: DirectoryRows) => void
  readonly checkReceipts?: CheckReceipts
  /** Only reports the changes. */
  readonly dryRun: boolean
  /** Of a dry run: applies the changes only if they are still the same. */
  readonly review?: string | undefined
}

/** Returns what was changed, or would be. Throws ChangeRefused, and AdminProblem if the review is out of date. */
export async function applyConfiguration(
  store: SetupStore,
  wanted: Configuration,
  options: ApplyOptions,
): Promise<ChangeList> {
  const rows = await store.loadDirectory()
  const { checkMay, checkReceipts, dryRun, review } = options
  const { list, changes } = await planChanges(rows, wanted, options)
  if (review !== undefined && review !== list.review()) {
    throw new AdminProblem(412, 'the differences are no longer those of the review: do a dry run again')
  }
  const change = { kind: 'all', revision: rows.revision, changes } as const
  checkMay(change, rows)
  for (const before of checkReceipts === undefined ? [] : rows.carriers) {
    const [after] = changes.flatMap((each) => carrierAfter(each, before.id))
    if (after !== undefined) await checkReceipts?.(before, after)
  }
  if (!dryRun && changes.length > 0) await store.change(change)
  return list
}

/** Returns the carrier as the change leaves it: null if it removes it, nothing if it does not concern it. */
function carrierAfter(change: RoutingChange, id: string): readonly (CarrierSetup | null)[] {
  if (change.kind === 'remove carrier') return change.carrierId === id ? [null] : []
  return change.kind === 'set carrier' && change.carrier.id === id ? [change.carrier] : []
}

interface Difference {
  readonly sets: readonly RoutingChange[]
  readonly removes: readonly RoutingChange[]
}

async function planChanges(rows: DirectoryRows, { sections, operators }: Configuration, options: ApplyOptions) {
  if (operators !== null && operators.sha256 !== referTo(rows.operators).sha256) {
    throw new ChangeRefused(
      'the configuration was written for another operator table: import that table, or remove the field operators',
    )
  }
  const { checkSettings, hookGuard } = options
  let setUp: SetUp = { ...setUpOf(rows, checkSettings), ...(hookGuard === undefined ? {} : { hookGuard }) }
  const list = new ChangeList()
  const differences: (Difference & { readonly resource: Resource })[] = []
  for (const resource of RESOURCES) {
    const { section } = resource
    const entries = sections.get(section)
    if (entries === undefined) {
      for (const item of resource.items(rows)) at(resource.describe(item), () => resource.refer?.(item, setUp))
      continue
    }
    const wanted = await readEntries(resource, entries, setUp)
    if (section === 'carriers') setUp = { ...setUp, carriers: wanted as readonly CarrierSetup[] }
    if (section === 'pools') setUp = { ...setUp, pools: wanted as readonly NumberPool[] }
    if (section === 'price_groups') setUp = { ...setUp, priceGroups: wanted as readonly PriceGroup[] }
    differences.push({ resource, ...(await compare(resource, wanted, rows, list)) })
  }
  const needed = differences.filter(({ resource }) => resource.isReferredTo === true)
  const others = differences.filter(({ resource }) => resource.isReferredTo !== true)
  return {
    list,
    // Items that others refer to are created first and removed last.
    changes: [
      ...others.flatMap(({ removes }) => removes),
      ...[...needed, ...others].flatMap(({ sets }) => sets),
      ...needed.flatMap(({ removes }) => removes),
    ],
  }
}

async function readEntries(resource: Resource, entries: readonly Entry[], setUp: SetUp): Promise<readonly object[]> {
  const wanted = await mapInSlices(entries, ({ place, shown }) => at(place, () => readItem(resource, shown, setUp)))
  resource.checkTogether?.(wanted)
  return wanted
}

async function compare(
  resource: Resource,
  wanted: readonly object[],
  rows: DirectoryRows,
  list: ChangeList,
): Promise<Difference> {
  const { section, items, describe, isPartial = false, remove } = resource
  const named = (item: object) => [describe(item), item] as const
  const before = new Map(await mapInSlices(items(rows), named))
  const after = new Map(await mapInSlices(wanted, named))
  if (after.size < wanted.length) {
    const seen = new Set<string>()
    const twice = wanted.map(describe).find((name) => seen.size === seen.add(name).size)
    throw new ChangeRefused(`the ${twice} occurs twice`)
  }
  const added = [...after].filter(([name]) => !before.has(name))
  const removed = isPartial ? [] : [...before].filter(([name]) => !after.has(name))
  await mapInSlices(added, ([item, is]) => {
    list.add({ section, action: 'added', item, fields: differences(resource, null, is) })
  })
  await mapInSlices(removed, ([item, was]) => {
    list.add({ section, action: 'removed', item, fields: differences(resource, was, null) })
  })
  const compared = await mapInSlices(after, ([item, is]) => {
    const was = before.get(item)
    const fields = was === undefined ? [] : differences(resource, was, is)
    if (fields.length === 0) return []
    list.add({ section, action: 'changed', item, fields })
    return [is]
  })
  return {
    // Changed items may have to make room for added ones: a price ends where another begins.
    sets: [...compared.flat(), ...added.map(([, item]) => item)].map((item) => resource.set(item)),
    removes: remove === null ? [] : removed.map(([, item]) => remove(item as never)),
  }
}

/** Sorted by field; null for an item that does not exist. */
function differences(resource: Resource, before: object | null, after: object | null): ItemChange['fields'] {
  const [old, now] = [before, after].map((item) => (item === null ? NOTHING : detailsOf(resource, item)))
  const { isSecret } = resource
  const show = (text: string | undefined, path: string) => {
    if (text === undefined || isSecret === undefined) return text ?? null
    const shown = mapTexts(JSON.parse(text), path, (each, at) => (isSecret(each, at) ? SECRET : each))
    return shown === SECRET ? SECRET : JSON.stringify(shown)
  }
  return [...new Set([...(old ?? NOTHING).keys(), ...(now ?? NOTHING).keys()])].sort().flatMap((path) => {
    const [was, is] = [old?.get(path), now?.get(path)]
    return was === is ? [] : [{ field: path, before: show(was, path), after: show(is, path) }]
  })
}

const NOTHING: ReadonlyMap<string, string> = new Map()
const SECRET = '(secret)'

/** Details as JSON, by path. */
function detailsOf(resource: Resource, item: object): ReadonlyMap<string, string> {
  const details = new Map<string, string>()
  collect(resource.details?.(item) ?? detailsOutsideKey(resource, item), '', details)
  return details
}

function detailsOutsideKey({ fields, key }: Resource, item: object): object {
  return viewOf(Object.fromEntries(Object.entries(fields).filter(([name]) => !key.includes(name))), item)
}

function collect(value: unknown, path: string, details: Map<string, string>): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    for (const [name, each] of Object.entries(value)) collect(each, path === '' ? name : `${path}.${name}`, details)
  } else if (value !== undefined) {
    details.set(path, JSON.stringify(value))
  }
}

/** Errors name their place in the document. */
function at<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ChangeRefused) throw new ChangeRefused(`${place}: ${error.message}`)
    throw error
  }
}
