/** The texts of the routes. */
import { useTexts } from '../../texts/texts.ts'
import { ROUTES_DE } from './texts-de.ts'
import { ROUTES_EN } from './texts-en.ts'

export function useRouteTexts() {
  return useTexts<typeof ROUTES_EN>({ en: ROUTES_EN, de: ROUTES_DE })
}
