/** Texts of this page in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { LINKS_DE } from './texts-de.ts'
import { LINKS_EN } from './texts-en.ts'

const TEXTS = { en: LINKS_EN, de: LINKS_DE }

export function useLinksTexts() {
  return useTexts<typeof LINKS_EN>(TEXTS)
}
