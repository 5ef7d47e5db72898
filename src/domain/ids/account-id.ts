/** Ids of accounts. */

declare const accountId: unique symbol

/** A positive integer, assigned by the store. */
export type AccountId = number & { readonly [accountId]: true }

export function toAccountId(number: number): AccountId {
  if (!Number.isSafeInteger(number) || number < 1) throw new RangeError(`${number} is not an account id`)
  return number as AccountId
}
