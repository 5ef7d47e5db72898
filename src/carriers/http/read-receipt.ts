/** Receipts in webhook calls of a generic HTTP carrier. Items without news of a message are ignored. */
import { isCategory } from '../../domain/money/cost.ts'
import type { CarrierReceipt } from '../../ports/carriers/carrier.ts'
import { textAt } from './find-text.ts'
import { firstKnown } from './meanings.ts'
import type { ReceiptSettings } from './settings.ts'

export function readReceipt(item: unknown, settings: ReceiptSettings): Omit<CarrierReceipt, 'carrierId'>[] {
  const ref = textAt(item, settings.id)
  const { word, meaning: outcome } = firstKnown(settings.words, item)
  if (ref === '' || outcome === undefined) return []
  const reason = settings.reason === null ? '' : textAt(item, settings.reason)
  const words = [settings.status(item), word, reason].filter((each) => each !== '')
  const detail = [...new Set(words)].join(': ').toWellFormed()
  const category = settings.category === null ? '' : textAt(item, settings.category).toLowerCase()
  return [{ ref, outcome, detail, ...(isCategory(category) ? { category } : {}) }]
}
