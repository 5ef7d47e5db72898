/** Checks currency codes. */
import { ChangeRefused } from '../../../ports/records/store-errors.ts'

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Whether it is an ISO 4217 code such as EUR. */
export function isCurrency(text: string): boolean {
  return CURRENCIES.has(text)
}

/** Throws ChangeRefused unless it is an ISO 4217 code such as EUR. */
export function checkCurrency(currency: string): void {
  if (!isCurrency(currency)) {
    throw new ChangeRefused(`${JSON.stringify(currency)} is not an ISO 4217 currency such as EUR`)
  }
}
