/** Builds prices for tests: what a story does not name is general, in EUR, for SMS to every number at all times. */
import { toMicros } from '../../src/domain/money/money.ts'
import { GENERAL_PRICES, type Price } from '../../src/domain/money/price.ts'
import { UNLIMITED } from '../../src/domain/money/rate.ts'

export function buildPrice(change: Partial<Price> = {}): Price {
  return {
    ...{ ...GENERAL_PRICES, currency: 'EUR', channel: 'sms', prefix: '', ...UNLIMITED },
    priceMicros: toMicros(50_000),
    ...change,
  }
}
