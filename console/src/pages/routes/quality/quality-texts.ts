/** The texts of routing by quality. */
import { useTexts } from '../../../texts/texts.ts'
import { QUALITY_DE } from './quality-de.ts'
import { QUALITY_EN } from './quality-en.ts'

export function useQualityTexts() {
  return useTexts<typeof QUALITY_EN>({ en: QUALITY_EN, de: QUALITY_DE })
}
