/** Texts of price groups in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { GROUPS_DE } from './texts-de.ts'
import { GROUPS_EN } from './texts-en.ts'

const TEXTS = { en: GROUPS_EN, de: GROUPS_DE }

export function useGroupTexts() {
  return useTexts<typeof GROUPS_EN>(TEXTS)
}
