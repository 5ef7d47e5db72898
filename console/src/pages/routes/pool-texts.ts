/** The texts of number pools. */
import { useTexts } from '../../texts/texts.ts'
import { POOLS_DE } from './pools-de.ts'
import { POOLS_EN } from './pools-en.ts'

export function usePoolTexts() {
  return useTexts<typeof POOLS_EN>({ en: POOLS_EN, de: POOLS_DE })
}
