/** Texts that pages of accounts share, in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { ACCOUNTS_DE } from './texts-de.ts'
import { ACCOUNTS_EN } from './texts-en.ts'

const TEXTS = { en: ACCOUNTS_EN, de: ACCOUNTS_DE }

export function useAccountTexts() {
  return useTexts<typeof ACCOUNTS_EN>(TEXTS)
}
