/** What alarms are about, in the user's language. */
import { makeTranslator } from '../../texts/gateway/translator.ts'
import type { Language } from '../../texts/language.ts'

const german = makeTranslator({
  'data folder': 'Datenverzeichnis',
  ledger: 'Hauptbuch',
  messages: 'Nachrichten',
  reports: 'Berichte',
  'messages to {} of account {}': 'Nachrichten an {1} von Konto {2}',
  'messages to {}': 'Nachrichten an {1}',
  'calls to {} of account {}': 'Anrufe bei {1} von Konto {2}',
  'calls to {}': 'Anrufe bei {1}',
  'unverified to {} of account {}': 'Fehlgeschlagene Verifizierungen mit {1} von Konto {2}',
  'unverified to {}': 'Fehlgeschlagene Verifizierungen mit {1}',
  'account {}': 'Konto {1}',
  'carrier {}': 'Carrier {1}',
  'operator {}': 'Netzbetreiber {1}',
  '{} in {}, operator {}': '{1} in {2}, Netzbetreiber {3}',
})

/** Ids of carriers and countries stay as they are. */
export function alarmSubject(subject: string, language: Language): string {
  return language === 'de' ? (german(subject) ?? subject) : subject
}
