/**
 * Texts in two languages. A page has them in `texts-en.ts` and `texts-de.ts` beside it; the type of the English ones is
 * what the German ones must have, so a missing text is a type error.
 */
import { createContext, useContext } from 'react'
import { textsOfClients } from './client-words.ts'
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

/** Whether the user belongs to an account, and reads its words in place of those of operators. */
export const IsClient = createContext(false)

/** Returns the texts of the user's language, in the user's words. */
export function useTexts<T>(translations: Translations<T>): T {
  const { language } = usePreferences()
  const isClient = useContext(IsClient)
  return isClient ? textsOfClients(translations[language], language) : translations[language]
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
