/** Texts of the page of one message in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { MESSAGE_DE } from './texts-de.ts'
import { MESSAGE_EN } from './texts-en.ts'

const TEXTS = { en: MESSAGE_EN, de: MESSAGE_DE }

export function usePageTexts() {
  return useTexts<typeof MESSAGE_EN>(TEXTS)
}
