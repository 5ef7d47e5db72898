/** The texts that carry a code when the client sends none of its own, by language (ISO 639-1). */
export const CODE_PLACEHOLDER = '{code}'

export const VERIFY_TEXTS = {
  en: 'Your code is {code}.',
  de: 'Ihr Code lautet {code}.',
  es: 'Su código es {code}.',
  fr: 'Votre code est {code}.',
  it: 'Il tuo codice è {code}.',
  nl: 'Uw code is {code}.',
  pl: 'Twój kod to {code}.',
  pt: 'O seu código é {code}.',
  tr: 'Kodunuz: {code}',
  uk: 'Ваш код: {code}',
} as const

export type VerifyLanguage = keyof typeof VERIFY_TEXTS

export const VERIFY_LANGUAGES = Object.keys(VERIFY_TEXTS) as readonly VerifyLanguage[]
