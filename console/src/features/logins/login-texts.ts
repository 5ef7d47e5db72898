/** Texts of logins in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { LOGINS_DE } from './texts-de.ts'
import { LOGINS_EN } from './texts-en.ts'

const TEXTS = { en: LOGINS_EN, de: LOGINS_DE }

export function useLoginTexts() {
  return useTexts<typeof LOGINS_EN>(TEXTS)
}
