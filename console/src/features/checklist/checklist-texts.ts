/** Texts of checklists in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { CHECKLIST_DE } from './texts-de.ts'
import { CHECKLIST_EN } from './texts-en.ts'

const TEXTS = { en: CHECKLIST_EN, de: CHECKLIST_DE }

export function useChecklistTexts() {
  return useTexts<typeof CHECKLIST_EN>(TEXTS)
}
