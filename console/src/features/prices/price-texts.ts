/** Texts of prices in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import type { PriceOwner } from './price.ts'
import { PRICES_DE } from './texts-de.ts'
import { PRICES_EN } from './texts-en.ts'

const TEXTS = { en: PRICES_EN, de: PRICES_DE }

export function usePriceTexts() {
  return useTexts<typeof PRICES_EN>(TEXTS)
}

/** Names the owner of prices. Users of an account see only theirs. */
export function whoseText({ whose }: typeof PRICES_EN, { account, group }: PriceOwner): string {
  if (account !== null) return whose.account(account)
  return group === null ? whose.general : whose.group(group)
}
