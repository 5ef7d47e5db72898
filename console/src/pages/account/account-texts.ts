/** Texts of the page of one account in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { ACCOUNT_DE } from './texts-de.ts'
import { ACCOUNT_EN } from './texts-en.ts'

const TEXTS = { en: ACCOUNT_EN, de: ACCOUNT_DE }

export function useAccountPageTexts() {
  return useTexts<typeof ACCOUNT_EN>(TEXTS)
}
