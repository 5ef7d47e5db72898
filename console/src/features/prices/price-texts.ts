/** Texts of prices in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { PRICES_DE } from './texts-de.ts'
import { PRICES_EN } from './texts-en.ts'

const TEXTS = { en: PRICES_EN, de: PRICES_DE }

export function usePriceTexts() {
  return useTexts<typeof PRICES_EN>(TEXTS)
}
