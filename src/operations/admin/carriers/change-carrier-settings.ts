/** Changes single settings of a carrier and keeps the others, including secrets. */
import type { CarrierSetup, InstalledCarrier } from '../../../domain/directory/directory.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { AdminTools } from '../endpoint/endpoint.ts'
import { checkItem, setUpOf } from '../endpoint/resource.ts'
import { CARRIER_SETUP } from './carrier.ts'
import type { CheckReceipts } from './check-removal.ts'
import { hideSecrets } from './kept-secrets.ts'

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Applies a merge patch (RFC 7396): null removes a setting, an object changes its members. Secrets that the patch does
 * not name are kept as with `<kept>`, so a change of host requires the secrets. Throws ChangeRefused.
 */
export async function changeCarrierSettings(
  { store, checkSettings }: Pick<AdminTools, 'store' | 'checkSettings'>,
  carrier: InstalledCarrier,
  patch: JsonObject,
  checkReceipts: CheckReceipts,
): Promise<void> {
  const missing = Object.keys(patch).filter((name) => patch[name] === null && !hasSetting(carrier, name))
  if (missing.length > 0)
    throw new ChangeRefused(`carrier ${carrier.id} has no setting ${missing.join(', ')} to remove`)
  const rows = await store.loadDirectory()
  const settings = mergePatch(hideSecrets(carrier.settings), patch)
  const changed = checkItem<CarrierSetup>(CARRIER_SETUP, { ...carrier, settings }, setUpOf(rows, checkSettings))
  await checkReceipts(carrier, changed)
  await store.change({ kind: 'all', revision: rows.revision, changes: [CARRIER_SETUP.set(changed)] })
}

/** Returns the top-level names that the new settings no longer have. */
export function removedSettings(before: unknown, after: unknown): readonly string[] {
  const left = new Set(Object.keys(after ?? {}))
  return Object.keys(before ?? {}).filter((name) => !left.has(name))
}

function hasSetting({ settings }: InstalledCarrier, name: string): boolean {
  return typeof settings === 'object' && settings !== null && Object.hasOwn(settings, name)
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
