/** Shows the money on hold for open messages. Currencies are never added up. */
import Type, { type Static } from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { MONEY, whole } from '../fields/shapes.ts'

export const HoldLine = Type.Object({
  currency: Type.String(),
  held: MONEY,
  accounts: whole({ description: 'number of accounts with money on hold' }),
})

/** Returns a line for each currency of accounts, or for that of one account. Throws UnknownThing. */
export async function viewHolds(
  store: Pick<QueryStore, 'holds'>,
  account?: number,
): Promise<Static<typeof HoldLine>[]> {
  const totals = await store.holds(account === undefined ? null : toAccountId(account))
  if (account !== undefined && totals.length === 0) throw new UnknownThing(`there is no account ${account}`)
  return totals.map(({ currency, heldMicros, accounts }) => ({ currency, held: toDecimal(heldMicros), accounts }))
}
