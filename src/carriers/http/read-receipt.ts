/** Receipts in webhook calls of a generic HTTP carrier. Items without news of a message are ignored. */
import { isCategory } from '../../domain/money/cost.ts'
import type { CarrierReceipt } from '../../ports/carriers/carrier.ts'
import { MAX_ITEMS, matchesWhen } from './calls/call-items.ts'
import { type JsonPath, type ReadText, textAt } from './places/find-text.ts'
import { firstKnown } from './places/meanings.ts'
import type { ReceiptSettings } from './settings.ts'

type ReadReceipt = Omit<CarrierReceipt, 'carrierId'>

/** Characters of several values in one text. */
const MAX_LISTED = 65_536
const MAX_TEXT = 256

/** Returns null for an item with several ids that is not clear about which status each of them has. */
export function readReceipts(item: unknown, settings: ReceiptSettings): readonly ReadReceipt[] | null {
  if (!matchesWhen(item, settings.when)) return []
  if (settings.separator === null) return readOne((path) => textAt(item, path), settings)
  const valuesAt = listedIn(item, settings.separator)
  const ids = settings.ids.map(valuesAt).find(([first = '']) => first.trim() !== '') ?? []
  if (ids.length > MAX_ITEMS || ![1, ids.length].includes(valuesAt(settings.status).length)) return null
  return ids.flatMap((_, index) => {
    return readOne((path) => oneOf(valuesAt(path), index, ids.length) ?? textAt(item, path), settings)
  })
}

/** Returns a reader of the values at a path, which splits each text once. */
function listedIn(item: unknown, separator: string): (path: JsonPath) => readonly string[] {
  const known = new Map<JsonPath, readonly string[]>()
  return (path) => {
    const values = known.get(path) ?? textAt(item, path, MAX_LISTED).split(separator)
    known.set(path, values)
    return values
  }
}

/** Returns undefined if there is not one value for each id. */
function oneOf(values: readonly string[], index: number, ids: number): string | undefined {
  const value = values.length === ids ? values[index]?.trim() : undefined
  return value !== undefined && value.length > MAX_TEXT ? '' : value
}

function readOne(read: ReadText, settings: ReceiptSettings): readonly ReadReceipt[] {
  const ref = settings.ids.map(read).find((each) => each !== '') ?? ''
  const { word, meaning: outcome } = firstKnown(settings.words, read)
  if (ref === '' || outcome === undefined) return []
  const status = settings.statusOf(read)
  const reason = settings.reason === null ? '' : read(settings.reason)
  const words = [status, word, reason].filter((each) => each !== '')
  const detail = [...new Set(words)].join(': ').toWellFormed()
  const category = settings.category === null ? '' : read(settings.category).toLowerCase()
  return [{ ref, outcome, detail, ...(isCategory(category) ? { category } : {}) }]
}
