/** Texts of opt-outs in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { OPT_OUTS_DE } from './texts-de.ts'
import { OPT_OUTS_EN } from './texts-en.ts'

const TEXTS = { en: OPT_OUTS_EN, de: OPT_OUTS_DE }

export function useOptOutTexts() {
  return useTexts<typeof OPT_OUTS_EN>(TEXTS)
}
