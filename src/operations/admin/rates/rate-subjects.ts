/** Subjects of prices and costs in the audit log: a rate, whatever its validity, and the table that imports replace. */
import { type CostKey, describeCost } from '../../../domain/money/cost.ts'
import { describeOwner, describePrice, type PriceKey, type PriceOwner } from '../../../domain/money/price.ts'

export function priceSubject(price: Omit<PriceKey, 'from'>): string {
  return `price of ${describePrice(price)}`
}

export function costSubject(cost: Omit<CostKey, 'from'>): string {
  return `cost of ${describeCost(cost)}`
}

/** Of all prices of an owner in a currency. */
export function tariffSubject(owner: PriceOwner, currency: string): string {
  return nameTariff(describeOwner(owner), currency)
}

/** Of all costs of a carrier. */
export function costsSubject(carrierId: string): string {
  return `costs of carrier ${carrierId}`
}

function nameTariff(whose: string | null, currency: string): string {
  return `${whose === null ? 'general tariff' : `tariff of ${whose}`} in ${currency}`
}

const OF_PRICE = /^price of .* in ([A-Z]{3})(?: for ((?:account|group) \S+))?(?: from \S+)?$/
const OF_COST = /^cost of (\S+) /

/** Returns the subject, and that of the table of a rate: an import of the table may have changed the rate. */
export function withTable(subject: string): readonly string[] {
  const [, currency, whose = null] = OF_PRICE.exec(subject) ?? []
  if (currency !== undefined) return [subject, nameTariff(whose, currency)]
  const carrier = OF_COST.exec(subject)?.[1]
  return carrier === undefined ? [subject] : [subject, costsSubject(carrier)]
}
