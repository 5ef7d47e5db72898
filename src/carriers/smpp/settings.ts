/** The settings of an SMPP carrier. Maximum lengths are those of SMPP 3.4, 4.1.1, without the terminating zero. */
import { createSecureContext } from 'node:tls'
import Type from 'typebox'
import type { ReceiptOutcome } from '../../domain/message/journey-event.ts'
import { NATIONAL_LANGUAGES, type NationalLanguage } from '../../domain/text/national-tables.ts'
import { DEFAULT_ALPHABETS } from '../../wire/smpp/message-text.ts'
import { CHECK } from '../shared/check-settings.ts'
import { host, hostList } from '../shared/host-and-port.ts'
import { readSettings, WrongSetting } from '../shared/read-settings.ts'
import {
  ascii,
  COMMON_SETTINGS,
  certificates,
  choice,
  flag,
  group,
  mapOf,
  millis,
  NATIONAL_COUNTRY,
  optionalGroup,
  parsed,
  SECRET,
  text,
  whole,
} from '../shared/setting-kinds.ts'
import { ID_FORMS } from './same-ref.ts'
import { registeredTemplates } from './sender-templates.ts'
import { STATUS_MEANINGS } from './status-meanings.ts'
import { vendorTlvs } from './vendor-tlv.ts'

export type SmppSettings = ReturnType<typeof readSmppSettings>

/** SMPP allows 8 characters; carriers use longer ones, and a PDU holds them. */
const MAX_PASSWORD = 64

/** As the bind writes them. */
const INTERFACE_VERSIONS = { '3.3': 0x33, '3.4': 0x34, '5.0': 0x50 } as const

const BIND_ROLES = ['transceiver', 'transmitter and receiver'] as const
const LANGUAGES = Object.keys(NATIONAL_LANGUAGES) as NationalLanguage[]

const OUTCOMES = [
  'accepted',
  'delivered',
  'expired',
  'undeliverable',
  'rejected',
  'unknown',
] as const satisfies ReceiptOutcome[]

/** Settings of all messages of a carrier, and of those of one sender. */
function sourceSettings() {
  return {
    sourceTon: Type.Optional(whole(0, 255, 'Type of number of the sender; by default it follows from its form.')),
    sourceNpi: Type.Optional(whole(0, 255, 'Numbering plan of the sender; by default it follows from its form.')),
    tlvs: vendorTlvs('Optional parameters of each message, such as those that a regulator requires.'),
  }
}

const TLS = parsed(
  group(
    {
      ca: Type.Optional(certificates('Certificate of a private authority, PEM; by default those of the system.')),
      servername: Type.Optional(ascii(253, 'The name in the certificate of the carrier, if it is not `host`.')),
      certificate: Type.Optional(certificates('Your certificate, PEM, if the carrier asks for one.')),
      key: Type.Optional(text('Private key of your certificate, PEM.', SECRET)),
    },
    'Connects by TLS; `{}` for a certificate that the system trusts. Certificates are always verified.',
  ),
  ({ certificate: cert, key, ...rest }) => {
    if (cert === undefined && key === undefined) return { ...rest, own: undefined }
    if (cert === undefined) throw new WrongSetting('certificate', 'should be text')
    if (key === undefined) throw new WrongSetting('key', 'should be text')
    try {
      createSecureContext({ cert, key })
    } catch {
      throw new WrongSetting('key', 'should be the private key of the certificate, in PEM')
    }
    return { ...rest, own: { cert, key } }
  },
)

const STATUSES = parsed(
  mapOf(
    choice(STATUS_MEANINGS, 'What the status means.'),
    'Meanings of statuses that differ from the usual ones: `{"0x451": "slow"}`.',
    { pattern: /^0x(?!0+$)[0-9a-fA-F]{1,8}$|^(?!0+$)[0-9]{1,9}$/, rule: 'a status from 0x1 to 0xffffffff' },
  ),
  (meanings) => new Map([...meanings].map(([status, meaning]) => [Number(status), meaning])),
)

/** By a word in capitals. */
function outcomes(description: string) {
  const words = mapOf(choice(OUTCOMES, 'What the word means.'), description)
  return parsed(words, (map) => new Map([...map].map(([word, outcome]) => [word.toUpperCase(), outcome])))
}

export const SMPP_SETTINGS = group(
  {
    host: host('Host name or IP address of the SMSC.'),
    port: whole(1, 65_535, 'Its port.'),
    systemId: ascii(15, 'User name of the account.'),
    password: ascii(MAX_PASSWORD, 'Its password.', SECRET),
    backupHosts: hostList('Hosts such as `"b.example:2776"`, tried at once, in this order, if `host` cannot be bound.'),
    tls: Type.Optional(TLS),
    bindAs: choice(BIND_ROLES, 'One connection for both directions, or one for each.', 'transceiver'),
    binds: whole(1, 100, 'Connections, or pairs of them.', 1),
    window: whole(1, 10_000, 'Unanswered submits on each connection.', 10),
    throughput: Type.Optional(
      whole(0, 100_000, 'Parts per second over all binds, evenly spaced; `0` sends nothing; no limit by default.'),
    ),
    interfaceVersion: parsed(
      choice(['3.3', '3.4', '5.0'], 'Version of SMPP that the bind names.', '3.4'),
      (version) => INTERFACE_VERSIONS[version],
    ),
    systemType: Type.Optional(ascii(12, 'System type, if the carrier asks for one.')),
    addressRange: Type.Optional(ascii(40, 'Address range, if the carrier asks for one.')),
    serviceType: Type.Optional(ascii(5, 'Service type of each message, if the carrier asks for one.')),
    responseTimeoutMs: millis(
      100,
      600_000,
      'Time limit for a response; a message without one may be sent again.',
      30_000,
    ),
    enquireLinkMs: millis(1_000, 3_600_000, 'Interval of enquire_link.', 30_000),
    encoding: choice(
      ['gsm', 'latin1', 'ucs2'],
      '`gsm`: data_coding 0, or UCS-2 if a text needs it; `latin1`: data_coding 3 in place of 0; `ucs2`: always UCS-2.',
      'gsm',
    ),
    defaultAlphabet: choice(
      DEFAULT_ALPHABETS,
      'What data_coding 0 means at the carrier, in both directions; a text that it lacks is sent in UCS-2, and parts are charged as GSM or UCS-2 in any case.',
      'gsm7',
    ),
    nationalTable: Type.Optional(
      choice(LANGUAGES, 'Sends texts in this language with its single shift table in place of UCS-2, in fewer SMS.'),
    ),
    concatenation: choice(
      ['udh8', 'udh16', 'sar', 'payload'],
      'How long texts are joined: by a header with a reference of 8 or 16 bits (`udh16` only if it makes no more parts), by `sar` parameters, or as one message_payload.',
      'udh8',
    ),
    ...sourceSettings(),
    destinationTon: whole(0, 255, 'Type of number of the recipient.', 1),
    destinationNpi: whole(0, 255, 'Numbering plan of the recipient.', 1),
    priority: whole(0, 3, 'priority_flag.', 0),
    validityPeriod: flag('Whether a validity period is sent; some carriers accept none.', true),
    registeredDelivery: whole(0, 31, '`1` requests receipts, `17` also intermediate ones, `0` none.', 1),
    statuses: STATUSES,
    receiptIds: optionalGroup(
      {
        answer: choice(ID_FORMS, 'How the carrier writes ids in its answers.', 'as-is'),
        receipt: choice(ID_FORMS, 'How it writes them in receipts.', 'as-is'),
        apartBy: choice(
          ['id', 'recipient', 'reference'],
          'What distinguishes messages with the same id, for carriers that repeat ids: `recipient` is the sender of the receipt, `reference` a user_message_reference that the carrier returns.',
          'id',
        ),
      },
      'How receipts are matched with messages; change it while few messages are open.',
    ),
    receiptStates: outcomes('Meanings of states that differ from the usual ones: `{"BLOCKED": "undeliverable"}`.'),
    receiptErrors: outcomes('Meanings of error codes, which override the state of a failure: `{"027": "expired"}`.'),
    nationalCountry: NATIONAL_COUNTRY,
    senders: mapOf(
      group({ ...sourceSettings(), ...registeredTemplates() }, 'Settings of one sender.'),
      'Settings of single senders, which precede the others: `{"Shop": {"sourceTon": 5}}`.',
    ),
    check: CHECK,
    ...COMMON_SETTINGS,
  },
  'SMS over SMPP.',
  'SMPP',
)

/** @throws Error that names the invalid setting: `port: should be …`. */
export function readSmppSettings(json: unknown) {
  const settings = readSettings(SMPP_SETTINGS, json)
  const { host, port, backupHosts, nationalTable, defaultAlphabet } = settings
  if (nationalTable !== undefined && defaultAlphabet !== 'gsm7') {
    throw new WrongSetting('nationalTable', 'requires the defaultAlphabet gsm7')
  }
  const backups = backupHosts.map((backup) => ({ host: backup.host, port: backup.port ?? port }))
  /** Tried in this order. */
  return { ...settings, hosts: [{ host, port }, ...backups] }
}
