/** The texts of the team. */
import { useTexts } from '../../texts/texts.ts'
import { TEAM_DE } from './texts-de.ts'
import { TEAM_EN } from './texts-en.ts'

export function useTeamTexts() {
  return useTexts<typeof TEAM_EN>({ en: TEAM_EN, de: TEAM_DE })
}
