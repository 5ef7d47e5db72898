/** Receipts in webhook calls of a generic HTTP carrier. Items without news of a message are ignored. */
import { isCategory } from '../../domain/money/cost.ts'
import type { CarrierReceipt } from '../../ports/carriers/carrier.ts'
import { textAt } from './find-text.ts'
import type { ReceiptSettings } from './settings.ts'

export function readReceipt(item: unknown, settings: ReceiptSettings): Omit<CarrierReceipt, 'carrierId'>[] {
  const ref = textAt(item, settings.id)
  const status = textAt(item, settings.status).slice(0, 60)
  const outcome = settings.outcomes.of(status)
  if (ref === '' || outcome === undefined) return []
  const reason = settings.reason === null ? '' : textAt(item, settings.reason)
  const detail = (reason === '' ? status : `${status}: ${reason}`).toWellFormed()
  const category = settings.category === null ? '' : textAt(item, settings.category).toLowerCase()
  return [{ ref, outcome, detail, ...(isCategory(category) ? { category } : {}) }]
}
