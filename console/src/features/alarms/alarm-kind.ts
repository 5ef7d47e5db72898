/** Names of the kinds of alarms, for all pages. */
import type { AnswerOf } from '../../api/api.ts'
import type { Language } from '../../texts/language.ts'

export type AlarmKind = AnswerOf<'GET', '/alarms'>['data'][number]['kind']

const KINDS: Readonly<Record<AlarmKind, Readonly<Record<Language, string>>>> = {
  carrier_down: { en: 'Carrier down', de: 'Carrier ausgefallen' },
  carrier_failing: { en: 'Carrier failing', de: 'Carrier gestört' },
  delivery_share: { en: 'Deliveries fell', de: 'Weniger Zustellungen' },
  hook_stopped: { en: 'Hook stopped', de: 'Hook gestoppt' },
  queue_old: { en: 'Queue too old', de: 'Warteschlange zu alt' },
  balance_low: { en: 'Balance low', de: 'Guthaben niedrig' },
  pumping: { en: 'SMS pumping', de: 'SMS-Pumping' },
  ledger_discrepancy: { en: 'Ledger discrepancy', de: 'Abweichung im Hauptbuch' },
  keyword_lost: { en: 'Opt-out without effect', de: 'Abmeldung ohne Wirkung' },
  check_failed: { en: 'Check of receipts failed', de: 'Quittungsprüfung fehlgeschlagen' },
  carrier_demoted: { en: 'Carrier demoted', de: 'Carrier zurückgestuft' },
  disk_full: { en: 'Disk nearly full', de: 'Datenträger fast voll' },
}

export const ALARM_KINDS = Object.keys(KINDS) as readonly AlarmKind[]

/** Returns what the API sends if the kind is unknown. */
export function alarmKind(kind: string, language: Language): string {
  return KINDS[kind as AlarmKind]?.[language] ?? kind
}
