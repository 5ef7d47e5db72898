/** The settings for writing a submit_sm: for all messages of a carrier, and for those of one sender. */
import { NATIONAL_LANGUAGES, type NationalLanguage } from '../../domain/text/national-tables.ts'
import { DEFAULT_ALPHABETS, type DefaultAlphabet } from '../../wire/smpp/message-text.ts'
import type { SettingReader } from '../shared/setting-reader.ts'
import { readSenderTemplates, type SenderTemplates } from './sender-templates.ts'
import { readVendorTlvs, type VendorTlv } from './vendor-tlv.ts'

export interface MessageSettings extends SourceSettings {
  /** `gsm`: data_coding 0, UCS-2 if the text needs it. `latin1`: data_coding 3 in place of 0. `ucs2`: always UCS-2. */
  readonly encoding: 'gsm' | 'latin1' | 'ucs2'
  /** What data_coding 0 means at the carrier, in both directions. */
  readonly defaultAlphabet: DefaultAlphabet
  /** Sends texts in this language with its single shift table in place of UCS-2; null for none. */
  readonly nationalTable: NationalLanguage | null
  /** A header with a reference of 8 or 16 bits, sar parameters, or the whole text in one message_payload. */
  readonly concatenation: 'udh8' | 'udh16' | 'sar' | 'payload'
  readonly destinationTon: number
  readonly destinationNpi: number
  readonly serviceType: string
  readonly priority: number
  /** SMPP 3.4, 5.2.17: 1 requests a receipt, 17 intermediate notifications as well, 0 none. */
  readonly registeredDelivery: number
  /** False for a carrier that refuses a validity_period; its own default then applies. */
  readonly validityPeriod: boolean
  /** By the name of the sender; takes precedence over the carrier's settings. */
  readonly senders: ReadonlyMap<string, SenderSettings>
}

interface SenderSettings extends SourceSettings {
  readonly registered: SenderTemplates
}

export interface SourceSettings {
  /** Null to derive it from the form of the sender. */
  readonly sourceTon: number | null
  readonly sourceNpi: number | null
  readonly tlvs: readonly VendorTlv[]
}

const LANGUAGES = Object.keys(NATIONAL_LANGUAGES) as NationalLanguage[]

export function readMessageSettings(settings: SettingReader): MessageSettings {
  const defaultAlphabet = settings.oneOf('defaultAlphabet', DEFAULT_ALPHABETS, 'gsm7')
  const nationalTable = settings.has('nationalTable') ? settings.oneOf('nationalTable', LANGUAGES) : null
  if (nationalTable !== null && defaultAlphabet !== 'gsm7') {
    throw settings.wrong('nationalTable', 'requires the defaultAlphabet gsm7')
  }
  return {
    defaultAlphabet,
    nationalTable,
    ...readSource(settings),
    encoding: settings.oneOf('encoding', ['gsm', 'latin1', 'ucs2'], 'gsm'),
    concatenation: settings.oneOf('concatenation', ['udh8', 'udh16', 'sar', 'payload'], 'udh8'),
    destinationTon: settings.wholeNumber('destinationTon', 0, 255, 1),
    destinationNpi: settings.wholeNumber('destinationNpi', 0, 255, 1),
    serviceType: settings.has('serviceType') ? settings.ascii('serviceType', 5) : '',
    priority: settings.wholeNumber('priority', 0, 3, 0),
    registeredDelivery: settings.wholeNumber('registeredDelivery', 0, 31, 1),
    validityPeriod: settings.flag('validityPeriod', true),
    senders: settings.map('senders', (senders, name) => {
      const sender = senders.group(name)
      const read = { ...readSource(sender), registered: readSenderTemplates(sender) }
      sender.end()
      return read
    }),
  }
}

function readSource(settings: SettingReader): SourceSettings {
  return {
    sourceTon: settings.has('sourceTon') ? settings.wholeNumber('sourceTon', 0, 255) : null,
    sourceNpi: settings.has('sourceNpi') ? settings.wholeNumber('sourceNpi', 0, 255) : null,
    tlvs: readVendorTlvs(settings),
  }
}
