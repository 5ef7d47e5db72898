/** Texts about bulks in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { BULKS_DE } from './texts-de.ts'
import { BULKS_EN } from './texts-en.ts'

const TEXTS = { en: BULKS_EN, de: BULKS_DE }

export function useBulkTexts() {
  return useTexts<typeof BULKS_EN>(TEXTS)
}
