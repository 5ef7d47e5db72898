/** Actions of the audit log that change prices. */
import type { ChangeName } from '../../api/admin-api.ts'

/** As the filter of the log takes them: prices, groups, moves and imports. */
export const PRICE_ACTIONS = (
  [
    ...(['setPrice', 'removePrice', 'importPrices', 'importTariff', 'copyTariff', 'copyTariffToGroup'] as const),
    ...(['setPriceGroup', 'removePriceGroup', 'moveToPriceGroup', 'removeGroupMembership'] as const),
  ] satisfies readonly ChangeName[]
).join(',')
