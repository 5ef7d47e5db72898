/** Texts of the frame in the user's language. */
import { useTexts } from '../texts/texts.ts'
import { FRAME_DE } from './texts-de.ts'
import { FRAME_EN } from './texts-en.ts'

const TEXTS = { en: FRAME_EN, de: FRAME_DE }

export function useFrameTexts() {
  return useTexts<typeof FRAME_EN>(TEXTS)
}
