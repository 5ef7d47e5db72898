/** Texts of hooks in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { HOOKS_DE } from './texts-de.ts'
import { HOOKS_EN } from './texts-en.ts'

const TEXTS = { en: HOOKS_EN, de: HOOKS_DE }

export function useHookTexts() {
  return useTexts<typeof HOOKS_EN>(TEXTS)
}
