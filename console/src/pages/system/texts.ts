/** The texts of the system. */
import { useTexts } from '../../texts/texts.ts'
import { SYSTEM_DE } from './texts-de.ts'
import { SYSTEM_EN } from './texts-en.ts'

export function useSystemTexts() {
  return useTexts<typeof SYSTEM_EN>({ en: SYSTEM_EN, de: SYSTEM_DE })
}
