/** German texts of limits and quiet hours. */
import type { TextsLike } from '../../texts/texts.ts'
import type { GUARD_EN } from './texts-en.ts'

export const GUARD_DE: TextsLike<typeof GUARD_EN> = {
  limit: (row: number) => `Grenze ${row}`,
  most: 'Höchstens',
  per: 'Nachrichten und Anrufe je',
  scopes: { phone: 'Telefon', country: 'Land', prefix: 'Nummernanfang' },
  digits: 'Ziffern des Anfangs',
  within: 'Innerhalb von',
  addLimit: 'Grenze hinzufügen',
  removeLimit: (row: number) => `Grenze ${row} entfernen`,
  noLimit: 'Keine Grenzen.',
  sentence: (most: string, scope: string, time: string) => `Höchstens ${most} an ${scope} innerhalb von ${time}.`,
  ofScope: {
    phone: 'jedes Telefon',
    country: 'alle Nummern jedes Landes',
    prefix: (digits: string) => `alle Nummern mit denselben ersten ${digits} Ziffern`,
  },
  hours: 'Ruhezeiten',
  modes: {
    installation: 'Wie die Installation',
    none: 'Keine',
    own: 'Zu diesen Zeiten',
  },
  from: 'Von',
  to: 'Bis',
  action: 'Nachrichten dann',
  actions: { wait: 'warten, bis sie enden', refuse: 'werden abgelehnt' },
  none: 'Nachrichten werden zu jeder Zeit gesendet.',
  asInstallation: 'Es gelten die Ruhezeiten der Installation.',
  quiet: (from: string, to: string) => `Von ${from} bis ${to}, in der Zeitzone des Empfängers,`,
  waits: 'warten Nachrichten.',
  refuses: 'werden Nachrichten abgelehnt.',
}
