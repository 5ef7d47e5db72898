/** German names and explanations of the settings of an account. */
import type { TextsLike } from '../../texts/texts.ts'
import type { SETTINGS_EN } from './settings-en.ts'

export const SETTINGS_DE: TextsLike<typeof SETTINGS_EN> = {
  groups: {
    general: 'Allgemein',
    sending: 'Versand',
    reports: 'Berichte an den Kunden',
    limits: 'Zugriff und Raten',
    calls: 'Anrufe und Verifizierungen',
    retention: 'Aufbewahrung',
    guards: 'Schutzregeln dieses Kontos',
  },
  about: {
    general: 'Wie das Konto heißt und was gilt, wenn eine Anfrage nichts dazu sagt.',
    sending: 'Wie seine Nachrichten versendet werden.',
    reports: 'Wohin und wie Zustellberichte gesendet werden.',
    limits: 'Wer Anfragen senden darf und wie viele. Leer: keine Grenze oder die der Installation.',
    calls: 'Flash-Calls und Einmalpasswörter. Leer: der Standard.',
    retention: 'Wann Daten beendeter Nachrichten gelöscht werden. Leer: nie.',
    guards: 'Grenzen, die das Konto vor Missbrauch und Fehlern schützen.',
  },
  fields: {
    name: { label: 'Name', hint: 'Eindeutig unter allen Konten.' },
    default_sms_sender: {
      label: 'Standardabsender für SMS',
      hint: 'Für SMS ohne Absender. Leer: Jede SMS muss einen nennen.',
    },
    national_country: {
      label: 'Land nationaler Nummern',
      hint: 'Etwa DE: Eine Nummer wie 0170 1234500 in einer Anfrage gehört zu diesem Land. Leer: Sie wird abgelehnt.',
    },
    low_balance: {
      label: 'Niedriges Guthaben',
      hint: 'Der Standard-Hook erhält einen Bericht, wenn weniger verfügbar ist. Leer: nie.',
    },
    step_lifetime_seconds: {
      label: 'Zustellfrist eines Schritts',
      hint: 'Sekunden, die Chat-App- und SMS-Schritte einer Kette auf Zustellung warten.',
    },
    transliterate_sms: {
      label: 'SMS transliterieren',
      hint: 'Ersetzt Buchstaben, die GSM nicht kennt, wenn die SMS dadurch kürzer wird.',
    },
    look_up_numbers: {
      label: 'Nummern abfragen',
      hint: 'Route und Preis nach dem Netzbetreiber, den ein Abfragedienst findet, auch für portierte Nummern.',
    },
    unique_ids: { label: 'Eindeutige Kunden-IDs', hint: 'Sendet nichts, wenn eine Kunden-ID erneut verwendet wird.' },
    default_hook: {
      label: 'Standard-Hook',
      hint: 'Adresse für Berichte von Nachrichten ohne Hook. „feed:“ hält sie für event/list bereit. Leer: keine Berichte.',
    },
    reports_per_post: {
      label: 'Berichte pro POST',
      hint: '1 sendet jeden Bericht einzeln als Objekt, mehr als Liste.',
    },
    report_wait_ms: { label: 'Auf weitere Berichte warten', hint: 'Millisekunden, die ein Bericht auf andere wartet.' },
    inbound_report_form: {
      label: 'Form der Berichte über Antworten',
      hint: 'message.inbound, oder viber/2way für Programme eines anderen Dienstes.',
    },
    report_steps: {
      label: 'Jeden Schritt berichten',
      hint: 'Berichtet jeden Schritt einer Kette, nicht nur den Endstatus.',
    },
    allowed_networks: {
      label: 'Erlaubte Netze',
      hint: 'In CIDR-Form, mit Kommas getrennt: 192.0.2.0/24, 2001:db8::/32. Leer: alle.',
    },
    operations_per_second: { label: 'Operationen pro Sekunde', hint: 'Weitere Anfragen werden mit 429 abgelehnt.' },
    request_operations: { label: 'Operationen pro Anfrage', hint: 'Nur weniger, als die Installation erlaubt.' },
    request_bytes: { label: 'Bytes pro Anfrage', hint: 'Nur weniger, als die Installation erlaubt.' },
    lookups_per_second: { label: 'Nummernabfragen pro Sekunde', hint: 'Abfragen, die der Kunde stellt.' },
    routing_lookups_per_second: {
      label: 'Abfragen für Routen pro Sekunde',
      hint: 'Nummern, die für Route und Preis abgefragt werden.',
    },
    bulk_pace: { label: 'Nachrichten pro Sekunde aller Massensendungen', hint: 'Leer: der Standard.' },
    calls_per_hour: { label: 'Anrufe pro Stunde', hint: 'Leer: keine Grenze.' },
    calls_per_hour_to_phone: { label: 'Anrufe pro Stunde an ein Telefon', hint: 'Leer: der Standard.' },
    verify_per_hour: { label: 'Verifizierungen pro Stunde', hint: 'Leer: keine Grenze.' },
    verify_per_hour_to_phone: { label: 'Verifizierungen pro Stunde eines Telefons', hint: 'Leer: der Standard.' },
    verify_per_hour_from_address: {
      label: 'Verifizierungen pro Stunde von einer Adresse',
      hint: 'Adresse des Endnutzers, falls der Kunde sie sendet. Leer: der Standard.',
    },
    call_code_digits: { label: 'Stellen der Anrufcodes', hint: 'Leer: die Einstellung des Nummernpools.' },
    call_code_seconds: { label: 'Gültigkeit der Anrufcodes', hint: 'Sekunden. Leer: der Standard.' },
    texts_kept_days: {
      label: 'Texte aufbewahren',
      hint: 'Tage nach dem Ende einer Nachricht. Status und Beträge bleiben.',
    },
    records_kept_days: {
      label: 'Nachrichten aufbewahren',
      hint: 'Tage nach dem Ende einer Nachricht. Buchungen bleiben.',
    },
    daily_messages: { label: 'Nachrichten und Anrufe pro Tag', hint: 'Leer: keine Grenze.' },
    daily_spend: {
      label: 'Ausgaben pro Tag',
      hint: 'Pro Tag reserviertes Geld in der Währung des Kontos. Leer: keine Grenze.',
    },
    velocity_limits: {
      label: 'Ratengrenzen',
      hint: 'Die der Installation gelten auch.',
    },
    allowed_countries: {
      label: 'Erlaubte Länder',
      hint: 'ISO-3166-Codes der Empfänger, mit Kommas getrennt: DE, AT. Leer: alle.',
    },
    quiet_hours: {
      label: 'Ruhezeiten',
      hint: 'Anrufe und Verifizierungen werden nie verzögert.',
    },
    time_zone: {
      label: 'Zeitzone des Kontos',
      hint: 'Etwa Europe/Berlin. Tagesgrenzen beginnen um Mitternacht neu, und Zeiten ohne Abstand zu UTC gelten in ihr; mit UTC werden diese abgelehnt.',
    },
  },
  review: 'Änderungen prüfen',
  reviewTitle: 'Diese Änderungen speichern?',
  reviewHint: 'Sie gelten ab jetzt für Anfragen.',
  setting: 'Einstellung',
  before: 'Vorher',
  after: 'Nachher',
  none: 'keine',
  on: 'an',
  off: 'aus',
  save: 'Änderungen speichern',
  cancel: 'Weiter bearbeiten',
  discard: 'Verwerfen',
  saved: 'Die Einstellungen sind gespeichert',
  unchanged: 'Noch nichts geändert.',
  changes: (count) =>
    count === 1 ? '1 Änderung ist nicht gespeichert.' : `${count} Änderungen sind nicht gespeichert.`,
  amount: 'Geben Sie den Betrag mit Dezimalpunkt ein, etwa 12.50.',
  readOnly: 'Ihre Rolle darf diese Einstellungen lesen, aber nicht ändern.',
}
