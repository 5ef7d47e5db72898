/**
 * Texts in two languages. A page has them in `texts-en.ts` and `texts-de.ts` beside it; the type of the English ones is
 * what the German ones must have, so a missing text is a type error.
 */
import { type Language, usePreferences } from './language.ts'

/** The shape of texts in any language: strings, functions that return one, and groups of them. */
export type TextsLike<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : TextsLike<T[K]>
}

type Translations<T> = Readonly<Record<Language, T>>

/** Returns the texts of the user's language. */
export function useTexts<T>(translations: Translations<T>): T {
  return translations[usePreferences().language]
}

const RULES: Readonly<Record<Language, Intl.PluralRules>> = {
  en: new Intl.PluralRules('en'),
  de: new Intl.PluralRules('de'),
}
const NUMBERS: Readonly<Record<Language, Intl.NumberFormat>> = {
  en: new Intl.NumberFormat('en'),
  de: new Intl.NumberFormat('de'),
}

/** Returns a function for counted texts: `plural('en', '# message', '# messages')(2)` is `2 messages`. */
export function plural(language: Language, one: string, other: string): (count: number) => string {
  return (count) =>
    (RULES[language].select(count) === 'one' ? one : other).replace('#', NUMBERS[language].format(count))
}
