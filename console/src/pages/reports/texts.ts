/** The texts of the reports. */
import { useTexts } from '../../texts/texts.ts'
import { REPORTS_DE } from './texts-de.ts'
import { REPORTS_EN } from './texts-en.ts'

const TEXTS = { en: REPORTS_EN, de: REPORTS_DE }

export function useReportTexts() {
  return useTexts<typeof REPORTS_EN>(TEXTS)
}
