/** Texts of senders in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { SENDERS_DE } from './texts-de.ts'
import { SENDERS_EN } from './texts-en.ts'

const TEXTS = { en: SENDERS_EN, de: SENDERS_DE }

export function useSenderTexts() {
  return useTexts<typeof SENDERS_EN>(TEXTS)
}
