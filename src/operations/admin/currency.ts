/** Currencies as operators name them. */
import { ChangeRefused } from '../../ports/store-errors.ts'

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Throws a ChangeRefused unless it is the code of an ISO 4217 currency, such as EUR. */
export function checkCurrency(currency: string): void {
  if (!CURRENCIES.has(currency)) {
    throw new ChangeRefused(`${JSON.stringify(currency)} is not an ISO 4217 currency such as EUR`)
  }
}
