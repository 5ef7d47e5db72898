/** Names the carriers and the country of a rule. */
import { useDestination } from './destination.ts'
import type { QualityRule } from './quality-rule.ts'
import { useQualityTexts } from './quality-texts.ts'

export function useRuleSubject(): (rule: Pick<QualityRule, 'carrier' | 'country'>) => string {
  const texts = useQualityTexts()
  const destination = useDestination()
  return ({ carrier, country }) => {
    const carriers = carrier ?? texts.allCarriers
    return country === null ? carriers : `${carriers}, ${destination({ country, operator: null })}`
  }
}
