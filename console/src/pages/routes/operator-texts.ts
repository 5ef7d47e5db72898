/** The texts of mobile operators. */
import { useTexts } from '../../texts/texts.ts'
import { OPERATORS_DE } from './operators-de.ts'
import { OPERATORS_EN } from './operators-en.ts'

export function useOperatorTexts() {
  return useTexts<typeof OPERATORS_EN>({ en: OPERATORS_EN, de: OPERATORS_DE })
}
