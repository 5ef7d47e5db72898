/** Texts of chat-app templates in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { TEMPLATES_DE } from './texts-de.ts'
import { TEMPLATES_EN } from './texts-en.ts'

const TEXTS = { en: TEMPLATES_EN, de: TEMPLATES_DE }

export function useTemplateTexts() {
  return useTexts<typeof TEMPLATES_EN>(TEXTS)
}
