/** The settings of an SMPP carrier, read once and refused with one clear Error when a field is wrong. */
import { isJsonObject } from '../../wire/json.ts'
import { SettingReader } from '../setting-reader.ts'

export interface SmppSettings {
  readonly host: string
  readonly port: number
  readonly systemId: string
  readonly password: string
  /** Empty unless the carrier asks for one. */
  readonly systemType: string
  /** Connections held at the same time. */
  readonly binds: number
  /** Unanswered submits on each connection. */
  readonly window: number
  readonly responseTimeoutMs: number
  readonly enquireLinkMs: number
  /** Empty unless the carrier asks for one. */
  readonly addressRange: string
  /** Instead of what the form of the sender tells; null to go by its form. */
  readonly sourceTon: number | null
  readonly sourceNpi: number | null
}

/**
 * The lengths of texts are those of SMPP 3.4, 4.1.1, without the terminating zero.
 * @throws Error that names the wrong field: `port: should be …`.
 */
export function readSmppSettings(json: unknown): SmppSettings {
  const settings = new SettingReader(json)
  const given = (name: string) => isJsonObject(json) && json[name] !== undefined
  const read: SmppSettings = {
    host: readAscii(settings, 'host', 253),
    port: settings.wholeNumber('port', 1, 65_535),
    systemId: readAscii(settings, 'systemId', 15),
    password: readAscii(settings, 'password', 8),
    systemType: given('systemType') ? readAscii(settings, 'systemType', 12) : '',
    binds: settings.wholeNumber('binds', 1, 100, 1),
    window: settings.wholeNumber('window', 1, 10_000, 10),
    responseTimeoutMs: settings.wholeNumber('responseTimeoutMs', 100, 600_000, 10_000),
    enquireLinkMs: settings.wholeNumber('enquireLinkMs', 1_000, 3_600_000, 30_000),
    addressRange: given('addressRange') ? readAscii(settings, 'addressRange', 40) : '',
    sourceTon: given('sourceTon') ? settings.wholeNumber('sourceTon', 0, 255) : null,
    sourceNpi: given('sourceNpi') ? settings.wholeNumber('sourceNpi', 0, 255) : null,
  }
  settings.end()
  return read
}

function readAscii(settings: SettingReader, name: string, longest: number): string {
  const text = settings.text(name)
  if (text.length <= longest && /^[ -~]+$/.test(text)) return text
  throw settings.wrong(name, `should be 1 to ${longest} ASCII characters`)
}
