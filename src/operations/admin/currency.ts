/** Currencies as operators name them. */
import { ChangeRefused } from '../../ports/store.ts'

/** Throws a ChangeRefused unless it is the code of an ISO 4217 currency, such as EUR. */
export function checkCurrency(currency: string): void {
  if (!Intl.supportedValuesOf('currency').includes(currency)) {
    throw new ChangeRefused(`${JSON.stringify(currency)} is not an ISO 4217 currency such as EUR`)
  }
}
