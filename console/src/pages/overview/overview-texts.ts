/** Texts of this page in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { OVERVIEW_DE } from './texts-de.ts'
import { OVERVIEW_EN } from './texts-en.ts'

const TEXTS = { en: OVERVIEW_EN, de: OVERVIEW_DE }

export function useOverviewTexts() {
  return useTexts<typeof OVERVIEW_EN>(TEXTS)
}
