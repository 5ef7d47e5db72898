/** German texts that several pages about carriers share. */
import { channelNames } from '../../texts/channels.ts'
import type { TextsLike } from '../../texts/texts.ts'
import type { CARRIERS_EN } from './texts-en.ts'

export const CARRIERS_DE: TextsLike<typeof CARRIERS_EN> = {
  carrier: 'Carrier',
  kind: 'Protokoll',
  channel: 'Kanal',
  state: 'Zustand',
  up: 'Aktiv',
  down: 'Ausgefallen',
  draining: 'Stillgelegt',
  degraded: 'Eingeschränkt',
  notRunning: 'Läuft hier nicht',
  since: 'Seit',
  rate: 'Teile pro Sekunde',
  inFlight: 'Unterwegs',
  waiting: 'Wartend',
  breaker: 'Schutzschalter',
  breakers: { closed: 'geschlossen', open: 'offen', 'half-open': 'halb offen' },
  connections: 'Verbindungen',
  connectionsUp: (up: string, all: string) => `${up} von ${all} aktiv`,
  lastError: 'Letzter Fehler',
  noLimit: 'unbegrenzt',
  ofLimit: (rate: string, limit: string) => `${rate} von ${limit}`,
  channels: { ...channelNames('de'), lookup: 'Nummernabfrage' },
  kinds: {
    rbm: 'Google RCS Business Messaging',
    viber: 'Viber Business Messages',
    whatsapp: 'WhatsApp Cloud API',
    smpp: 'SMPP 3.4',
    telegram: 'Telegram Gateway (Codes)',
    sip: 'SIP (Anrufcodes)',
    http: 'HTTP, durch Einstellungen beschrieben',
    lookup: 'Nummernabfrage über HTTP',
  },
}
