/** The name of a group: in the table, and in the chart. */
import { operatorText } from '../../features/operators/operator-name.ts'
import { channelName } from '../../parts/channel.tsx'
import { usePreferences } from '../../texts/language.ts'
import { type Group, groupOf, type Line } from './query.ts'
import { useStatisticsTexts } from './statistics-texts.ts'

/** Returns a function that names the group of a line. Accounts have their number. */
export function useGroupText(by: Group): (line: Line) => string {
  const texts = useStatisticsTexts()
  const { language } = usePreferences()
  const unknown: Partial<Record<Group, string>> = {
    operator: texts.unknownOperator,
    country: texts.unknownCountry,
    carrier: texts.noCarrier,
    status: texts.noStatus,
  }
  return (line) => {
    const group = groupOf(line, by)
    if (group === null) return unknown[by] ?? texts.none
    const text = String(group)
    if (by === 'channel') return channelName(text, language)
    if (by === 'operator') return operatorText(text, line.operator_name) ?? text
    if (by === 'country') return new Intl.DisplayNames(language, { type: 'region' }).of(text) ?? text
    return text
  }
}
