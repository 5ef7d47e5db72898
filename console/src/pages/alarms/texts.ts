/** The texts of the alarms. */
import { useTexts } from '../../texts/texts.ts'
import { ALARMS_DE } from './texts-de.ts'
import { ALARMS_EN } from './texts-en.ts'

export function useAlarmTexts() {
  return useTexts<typeof ALARMS_EN>({ en: ALARMS_EN, de: ALARMS_DE })
}
