/** What the gateway says about alarms, carriers, quality and messages, in German. */
import { DETAILS_DE } from './details-de.ts'

export const STATES_DE: Readonly<Record<string, string>> = {
  // Effects of alarms, and what to do.
  'Its messages wait, or take other routes, until their lifetime ends.':
    'Seine Nachrichten warten oder nehmen andere Routen, bis ihre Frist endet.',
  'Check its settings and the network, then ask the carrier; drain it if it stays away.':
    'Prüfen Sie seine Einstellungen und das Netz, und fragen Sie dann den Carrier; legen Sie ihn still, wenn er wegbleibt.',
  'Messages prefer other carriers.': 'Nachrichten bevorzugen andere Carrier.',
  'Compare its rate with the agreed throughput, and lower that if it asks to slow down.':
    'Vergleichen Sie die Rate mit dem vereinbarten Durchsatz, und senken Sie sie, wenn er darum bittet.',
  'Fewer messages reach their recipients, or their receipts are missing.':
    'Weniger Nachrichten erreichen ihre Empfänger, oder ihre Quittungen fehlen.',
  'Compare carriers and statuses, change the routes, and ask the carrier.':
    'Vergleichen Sie Carrier und Zustände, ändern Sie die Routen, und fragen Sie den Carrier.',
  'The client gets no reports at these hooks.': 'Der Kunde erhält an diesen Hooks keine Berichte.',
  'Ask the client, then resume the hook and send the reports again.':
    'Fragen Sie den Kunden, setzen Sie dann den Hook fort, und senden Sie die Berichte noch einmal.',
  'What is due is not sent.': 'Was fällig ist, wird nicht gesendet.',
  'Look at the gateways and their logs: does one deliver, and is it busy?':
    'Sehen Sie nach den Gateways und ihren Logs: Stellt eines zu, und ist es ausgelastet?',
  'Messages are refused once the money is used up.':
    'Nachrichten werden abgelehnt, sobald das Guthaben verbraucht ist.',
  'Top up the account when it pays; if it is a carrier, pay the carrier.':
    'Laden Sie das Konto auf, wenn es zahlt; bei einem Carrier zahlen Sie den Carrier.',
  'An attacker may earn money with messages that an account pays for.':
    'Ein Angreifer verdient vielleicht an Nachrichten, die ein Konto bezahlt.',
  'Look at the traffic, then allow or block it.': 'Sehen Sie den Verkehr an, und erlauben oder sperren Sie ihn.',
  'Balances may be wrong.': 'Guthaben sind vielleicht falsch.',
  'Run posthorn ledger verify, and correct nothing before the cause is known.':
    'Rufen Sie posthorn ledger verify auf, und korrigieren Sie nichts, bevor die Ursache bekannt ist.',
  'Once the disk is full, requests are refused; nothing is lost.':
    'Ist der Datenträger voll, werden Anfragen abgelehnt; nichts geht verloren.',
  'Free space, enlarge the disk, or keep data for a shorter time.':
    'Schaffen Sie Platz, vergrößern Sie den Datenträger, oder bewahren Sie Daten kürzer auf.',
  'Recipients who have opted out may still get messages.':
    'Empfänger, die sich abgemeldet haben, erhalten vielleicht weiter Nachrichten.',
  'Find their messages, opt them out, and mend the number of the sender or the account.':
    'Suchen Sie ihre Nachrichten, melden Sie sie ab, und berichtigen Sie die Nummer des Absenders oder das Konto.',
  'Receipts of the carrier may not be true.': 'Quittungen des Carriers sind vielleicht nicht wahr.',
  'Compare the check with its message, and ask the carrier.':
    'Vergleichen Sie die Prüfung mit ihrer Nachricht, und fragen Sie den Carrier.',
  'Its messages there take other carriers.': 'Seine Nachrichten dorthin nehmen andere Carrier.',
  'Compare its statuses there with those of others, and ask the carrier.':
    'Vergleichen Sie seine Zustände dort mit denen anderer, und fragen Sie den Carrier.',
  'Its messages are refused: nothing is left to spend.':
    'Seine Nachrichten werden abgelehnt: Das Guthaben ist aufgebraucht.',
  'It can spend {}; then its messages are refused.':
    'Es kann noch {1} ausgeben; dann werden seine Nachrichten abgelehnt.',
  'With its credit limit it can spend {}; then its messages are refused.':
    'Mit seinem Kreditrahmen kann es noch {1} ausgeben; dann werden seine Nachrichten abgelehnt.',
  'Accounts paid {} for these {} messages; fewer reach their recipients, or receipts are missing.':
    'Konten zahlten {1} für diese {2} Nachrichten; weniger erreichen ihre Empfänger, oder Quittungen fehlen.',
  'no route leads to it, so no message is affected': 'Keine Route führt dorthin, keine Nachricht ist betroffen',
  '{} to all numbers: {} wait here; {…}': '{1} (alle Nummern): {2} warten hier; {3}',
  '{} to {…} and {} more: {} wait here; {…}': '{1} ({2} und {3} weitere): {4} warten hier; {5}',
  '{} to {…}: {} wait here; {…}': '{1} ({2}): {3} warten hier; {4}',
  '{} to {}: {} wait here; {…}': '{1} ({2}): {3} warten hier; {4}',
  '{} on hold for them; {…}': 'für sie sind {1} reserviert; {2}',
  'other carriers take new ones': 'andere Carrier nehmen die neuen',
  'no other carrier has a route there, so they wait until their lifetime ends':
    'kein anderer Carrier hat eine Route dorthin, also warten sie bis zum Ende ihrer Frist',
  'other carriers have routes for a part of them': 'andere Carrier haben Routen für einen Teil davon',

  // Details of alarms.
  'our account there can send nothing: {…}': 'Unser Konto dort kann nichts senden: {1}',
  'our account there can send nothing: {}': 'Unser Konto dort kann nichts senden: {1}',
  'not connected: {…}': 'Keine Verbindung: {1}',
  'not connected: {}': 'Keine Verbindung: {1}',
  'not connected': 'nicht verbunden',
  'not registered': 'nicht registriert',
  'its text fits no template': 'ihr Text passt zu keiner Vorlage',
  'no room in the window in time': 'rechtzeitig war kein Platz im Fenster',
  'no answer yet': 'noch keine Antwort',
  'false receipt': 'falsche Quittung',
  missing: 'fehlt',
  'not sent': 'nicht gesendet',
  'no detail': 'ohne Einzelheiten',
  'the gateway stopped before it was sent': 'das Gateway wurde beendet, bevor sie gesendet war',
  'reported as delivered, and did not come': 'als zugestellt gemeldet, und kam nicht an',
  '{…}: {…}': '{1}: {2}',
  '{} keyword without effect, the last because {…}: {}': '{1} Schlüsselwort ohne Wirkung, das letzte, weil {2}',
  '{} keywords without effect, the last because {…}: {}': '{1} Schlüsselwörter ohne Wirkung, das letzte, weil {2}',
  'its sender is no phone number or user id': 'sein Absender keine Telefonnummer oder Benutzerkennung ist',
  'its recipient is no sender or number of an account':
    'sein Empfänger kein Absender oder keine Nummer eines Kontos ist',
  '{} % of the disk are free': '{1} % des Datenträgers sind frei',
  'a hook that answered 410 gets no reports, last at an unknown host: posthorn hook resume':
    'Ein Hook, der mit 410 antwortete, erhält keine Berichte, zuletzt bei einem unbekannten Host',
  '{} hooks that answered 410 get no reports, last at an unknown host: posthorn hook resume':
    '{1} Hooks, die mit 410 antworteten, erhalten keine Berichte, zuletzt bei einem unbekannten Host',
  'a hook that answered 410 gets no reports, last at {}: posthorn hook resume':
    'Ein Hook, der mit 410 antwortete, erhält keine Berichte, zuletzt bei {1}',
  '{} hooks that answered 410 get no reports, last at {}: posthorn hook resume':
    '{1} Hooks, die mit 410 antworteten, erhalten keine Berichte, zuletzt bei {2}',
  '{} in five minutes, usually {}; the traffic is stopped': '{1} in fünf Minuten, sonst {2}; der Verkehr ist gestoppt',
  '{} in five minutes, usually {}; the traffic is not stopped':
    '{1} in fünf Minuten, sonst {2}; der Verkehr ist nicht gestoppt',
  '{} discrepancies: {}': '{1} Abweichungen: {2}',
  'the oldest has been due for {} s and no gateway takes it':
    'Das älteste ist seit {1} s fällig, und kein Gateway nimmt es',
  '{} are available, less than {}': '{1} sind verfügbar, weniger als {2}',
  '{} are left at the carrier, less than {}': '{1} sind beim Carrier übrig, weniger als {2}',
  '{} of {} messages have ended, {} in the week before: receipts are missing':
    '{1} von {2} Nachrichten sind zu Ende, {3} in der Woche davor: Quittungen fehlen',
  '{} of {} messages were delivered, {} in the week before':
    '{1} von {2} Nachrichten wurden zugestellt, {3} in der Woche davor',

  // Quality of carriers.
  '{} of {} messages delivered within {} s, {…}': '{1} von {2} Nachrichten binnen {3} s zugestellt, {4}',
  '{} of {} messages delivered within {} s': '{1} von {2} Nachrichten binnen {3} s zugestellt',
  '{} of {} deliveries within {} s, {…}': '{1} von {2} Zustellungen binnen {3} s, {4}',
  '{} of {} deliveries within {} s': '{1} von {2} Zustellungen binnen {3} s',
  '{} of {} codes entered, {…}': '{1} von {2} Codes eingegeben, {3}',
  '{} of {} codes entered': '{1} von {2} Codes eingegeben',
  'less than {}': 'weniger als {1}',
  'others at least {} within {} s': 'andere mindestens {1} binnen {2} s',
  'usually {} within {} s': 'sonst {1} binnen {2} s',
  'others at least {}': 'andere mindestens {1}',
  'usually {}': 'sonst {1}',
  'decided by {}': 'entschieden von {1}',
  'ended by {}': 'beendet von {1}',
  'its last check had a false receipt': 'seine letzte Prüfung hatte eine falsche Quittung',
  'its last check had no false receipt': 'seine letzte Prüfung hatte keine falsche Quittung',
  'the carrier was removed': 'der Carrier wurde entfernt',
  'its time is over': 'die Zeit ist um',
  'routing by quality was set to {}': 'Routing nach Qualität wurde auf {1} gestellt',
  'too few messages to test it: it is tried again': 'zu wenige Nachrichten für einen Test: Er wird wieder benutzt',

  // Details of messages and reports.
  ...DETAILS_DE,
  'quiet hours until {}': 'Ruhezeit bis {1}',
  'ended by an operator: there was no receipt': 'von einem Betreiber beendet: Es gab keine Quittung',
  'the opt-out could not be recorded': 'die Abmeldung konnte nicht gespeichert werden',
  'not asked for': 'nicht angefordert',
  'the reply in the answer could not be stored': 'die Antwort im Bericht konnte nicht gespeichert werden',
  'the channel carries no messages': 'der Kanal überträgt keine Nachrichten',
  'the peer closed the connection': 'die Gegenstelle hat die Verbindung geschlossen',
  'the connection closed': 'die Verbindung wurde geschlossen',
}
