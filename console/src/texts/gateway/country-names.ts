/** Names of countries that stand in texts of the gateway, in another language. */

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Returns them by their English names. The language is a tag such as `de`. */
export function countryNames(language: string): Readonly<Record<string, string>> {
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const own = new Intl.DisplayNames(language, { type: 'region' })
  return Object.fromEntries(
    LETTERS.flatMap((first) =>
      LETTERS.flatMap((second): readonly (readonly [string, string])[] => {
        const name = english.of(first + second)
        return name === undefined ? [] : [[name, own.of(first + second) ?? name]]
      }),
    ),
  )
}
