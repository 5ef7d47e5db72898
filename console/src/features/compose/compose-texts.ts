/** Texts of the compose page in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { COMPOSE_DE } from './texts-de.ts'
import { COMPOSE_EN } from './texts-en.ts'

const TEXTS = { en: COMPOSE_EN, de: COMPOSE_DE }

export function useComposeTexts() {
  return useTexts<typeof COMPOSE_EN>(TEXTS)
}
