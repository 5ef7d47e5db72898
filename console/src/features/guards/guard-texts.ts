/** The texts of limits and quiet hours, for the installation and for accounts. */
import { useTexts } from '../../texts/texts.ts'
import { GUARD_DE } from './texts-de.ts'
import { GUARD_EN } from './texts-en.ts'

export function useGuardFieldTexts() {
  return useTexts<typeof GUARD_EN>({ en: GUARD_EN, de: GUARD_DE })
}
