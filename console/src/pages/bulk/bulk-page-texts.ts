/** Texts of this page in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { BULK_DE } from './texts-de.ts'
import { BULK_EN } from './texts-en.ts'

const TEXTS = { en: BULK_EN, de: BULK_DE }

export function useBulkPageTexts() {
  return useTexts<typeof BULK_EN>(TEXTS)
}
