/** Texts of this page in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { SECURITY_DE } from './texts-de.ts'
import { SECURITY_EN } from './texts-en.ts'

const TEXTS = { en: SECURITY_EN, de: SECURITY_DE }

export function useSecurityTexts() {
  return useTexts<typeof SECURITY_EN>(TEXTS)
}
