/** Names a country, and an operator of it. */
import { usePreferences } from '../../../texts/language.ts'
import { useQualityTexts } from './quality-texts.ts'

interface Destination {
  readonly country: string
  /** MCC and MNC; null for all. */
  readonly operator: string | null
}

export function useDestination(): (place: Destination) => string {
  const texts = useQualityTexts()
  const { language } = usePreferences()
  const countries = new Intl.DisplayNames(language, { type: 'region' })
  return ({ country, operator }) => {
    const name = countries.of(country) ?? country
    return operator === null ? name : `${name}, ${texts.operator(operator)}`
  }
}
