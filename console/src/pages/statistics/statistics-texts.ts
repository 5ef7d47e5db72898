/** Texts of this page in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { STATISTICS_DE } from './texts-de.ts'
import { STATISTICS_EN } from './texts-en.ts'

const TEXTS = { en: STATISTICS_EN, de: STATISTICS_DE }

export function useStatisticsTexts() {
  return useTexts<typeof STATISTICS_EN>(TEXTS)
}
