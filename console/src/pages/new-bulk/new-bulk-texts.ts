/** Texts of this page in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { NEW_BULK_DE } from './texts-de.ts'
import { NEW_BULK_EN } from './texts-en.ts'

const TEXTS = { en: NEW_BULK_EN, de: NEW_BULK_DE }

export function useNewBulkTexts() {
  return useTexts<typeof NEW_BULK_EN>(TEXTS)
}
