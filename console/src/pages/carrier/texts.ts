/** The texts of one carrier. */
import { useTexts } from '../../texts/texts.ts'
import { CARRIER_DE } from './texts-de.ts'
import { CARRIER_EN } from './texts-en.ts'

export function useTextsOfCarrier() {
  return useTexts<typeof CARRIER_EN>({ en: CARRIER_EN, de: CARRIER_DE })
}
