/** Texts that the gateway writes in English, in the user's language and zone. Those that it does not know stay. */
import { countryNames } from './gateway/country-names.ts'
import { inForms, makeTranslator, type Translate } from './gateway/translator.ts'
import { currentLanguage, currentZone, type Language } from './language.ts'
import { type Formats, makeFormats } from './make-formats.ts'

let german: Translate | null = null

/** Loads what the language needs. Without it, texts stay English. */
export async function prepareGatewayTexts(language: Language): Promise<void> {
  if (language !== 'de' || german !== null) return
  const catalog = await import('./gateway/catalog-de.ts').catch(() => null)
  if (catalog !== null) german = makeTranslator({ ...countryNames('de'), ...catalog.CATALOG_DE })
}

/** Of a text of several lines, each is one. */
export function gatewayText(text: string): string {
  const shown = currentFormats().moments(inForms(text))
  if (currentLanguage() !== 'de' || german === null) return shown
  return shown
    .split('\n')
    .map((line) => german?.(line) ?? line)
    .join('\n')
}

let formats: { readonly key: string; readonly made: Formats } | null = null

function currentFormats(): Formats {
  const [language, zone] = [currentLanguage(), currentZone()]
  const key = `${language} ${zone}`
  if (formats?.key !== key) formats = { key, made: makeFormats(language, zone) }
  return formats.made
}
