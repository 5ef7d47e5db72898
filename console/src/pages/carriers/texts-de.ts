/** German texts of the list of carriers. */
import type { TextsLike } from '../../texts/texts.ts'
import type { LIST_EN } from './texts-en.ts'

export const LIST_DE: TextsLike<typeof LIST_EN> = {
  title: 'Carrier',
  description: 'Verbindungen zu Netzbetreibern und Messengern. Der Zustand ist der dieses Gateways.',
  list: 'Carrier',
  add: 'Carrier hinzufügen',
  none: 'Noch keine Carrier',
  noneHint: 'Nachrichten werden gesendet, sobald es einen Carrier und eine Route zu ihm gibt.',
  addTitle: 'Carrier hinzufügen',
  addDescription: 'Er verbindet sich sofort. Eine Route entscheidet, welche Nachrichten er bekommt.',
  provider: 'Anbieter',
  noProvider: 'Keiner davon: Ich habe die Einstellungen',
  setUp: (provider: string) => `Jetzt bei ${provider}`,
  id: 'Name',
  idHint: 'Buchstaben, Ziffern und Bindestriche, etwa smsc-nord. Er kann später nicht geändert werden.',
  settings: 'Einstellungen',
  addRoute: 'Alle Nummern zu ihm leiten',
  addRouteHint:
    'Er steht dann neben anderen Routen für alle Nummern: Der günstigere Carrier ist zuerst dran, gleiche teilen sich die Nachrichten. Andernfalls legen Sie danach auf der Seite Routen eine Route an.',
  priority: 'Priorität',
  priorityHint: 'Die kleinere Zahl wird zuerst versucht; gleiche teilen sich die Nachrichten.',
  callRouteHint: 'Anrufe brauchen einen Pool von Rufnummern: Legen Sie ihn und eine Route unter Routen an.',
  added: (carrier: string) => `Carrier ${carrier} hinzugefügt`,
}
