/** Texts of the import of sheets in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { SHEETS_DE } from './texts-de.ts'
import { SHEETS_EN } from './texts-en.ts'

const TEXTS = { en: SHEETS_EN, de: SHEETS_DE }

export function useSheetTexts() {
  return useTexts<typeof SHEETS_EN>(TEXTS)
}
