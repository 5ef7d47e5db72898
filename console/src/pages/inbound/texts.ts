/** The texts of inbound messages. */
import { useTexts } from '../../texts/texts.ts'
import { INBOUND_DE } from './texts-de.ts'
import { INBOUND_EN } from './texts-en.ts'

const TEXTS = { en: INBOUND_EN, de: INBOUND_DE }

export function useInboundTexts() {
  return useTexts<typeof INBOUND_EN>(TEXTS)
}
