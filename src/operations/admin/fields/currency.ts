/** Checks currency codes. */
import { ChangeRefused } from '../../../ports/records/store-errors.ts'

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Throws ChangeRefused unless it is an ISO 4217 code such as EUR. */
export function checkCurrency(currency: string): void {
  if (!CURRENCIES.has(currency)) {
    throw new ChangeRefused(`${JSON.stringify(currency)} is not an ISO 4217 currency such as EUR`)
  }
}
