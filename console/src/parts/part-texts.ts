/** Texts of the parts in the user's language. */
import { useTexts } from '../texts/texts.ts'
import { PARTS_DE } from './texts-de.ts'
import { PARTS_EN } from './texts-en.ts'

const TEXTS = { en: PARTS_EN, de: PARTS_DE }

export function usePartTexts() {
  return useTexts<typeof PARTS_EN>(TEXTS)
}
