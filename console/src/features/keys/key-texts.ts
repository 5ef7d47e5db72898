/** Texts of API keys in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { KEYS_DE } from './texts-de.ts'
import { KEYS_EN } from './texts-en.ts'

const TEXTS = { en: KEYS_EN, de: KEYS_DE }

export function useKeyTexts() {
  return useTexts<typeof KEYS_EN>(TEXTS)
}
