/** The texts of the guards. */
import { useTexts } from '../../texts/texts.ts'
import { GUARDS_DE } from './texts-de.ts'
import { GUARDS_EN } from './texts-en.ts'

export function useGuardTexts() {
  return useTexts<typeof GUARDS_EN>({ en: GUARDS_EN, de: GUARDS_DE })
}
