/** Texts of the form for new accounts in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { NEW_DE } from './texts-de.ts'
import { NEW_EN } from './texts-en.ts'

const TEXTS = { en: NEW_EN, de: NEW_DE }

export function useNewTexts() {
  return useTexts<typeof NEW_EN>(TEXTS)
}
