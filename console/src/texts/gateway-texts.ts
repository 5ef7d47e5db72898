/** Texts that the gateway writes in English, in the user's language. Those that it does not know stay as they are. */
import { countryNames } from './gateway/country-names.ts'
import { inForms, makeTranslator, type Translate } from './gateway/translator.ts'
import { currentLanguage, type Language } from './language.ts'

let german: Translate | null = null

/** Loads what the language needs. Without it, texts stay English. */
export async function prepareGatewayTexts(language: Language): Promise<void> {
  if (language !== 'de' || german !== null) return
  const catalog = await import('./gateway/catalog-de.ts').catch(() => null)
  if (catalog !== null) german = makeTranslator({ ...countryNames('de'), ...catalog.CATALOG_DE })
}

/** Of a text of several lines, each is one. */
export function gatewayText(text: string): string {
  const shown = inForms(text)
  if (currentLanguage() !== 'de' || german === null) return shown
  return shown
    .split('\n')
    .map((line) => german?.(line) ?? line)
    .join('\n')
}
