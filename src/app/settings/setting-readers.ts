/** Builds settings: their names, and readers that check their values. */
import { readNetwork } from '../../domain/network/networks.ts'
import { readWhole, ruleOf, wholeNumber } from '../../domain/text/schema-rule.ts'

export interface Setting {
  readonly env: string
  readonly flag: string
  readonly placeholder: string
  readonly default: string | null
  readonly meaning: string
  /** A file can have the value, named by the variable with `_FILE` at its end. */
  readonly secret?: true
}

export type SettingReader<T> = (text: string) => T

function setting<T>(
  name: string,
  placeholder: string,
  standard: string | null,
  meaning: string,
  read: SettingReader<T>,
) {
  const flag = name.toLowerCase().replaceAll('_', '-')
  return { env: `POSTHORN_${name}`, flag, placeholder, default: standard, meaning, read }
}

/** Marks a setting whose value is, or can contain, a password, token or key. */
export function secret<S extends Setting>(one: S) {
  return { ...one, secret: true as const }
}

export function text(name: string, placeholder: string, standard: string, meaning: string) {
  return setting(name, placeholder, standard, meaning, (value) => {
    if (value === '') throw new RangeError('must not be empty')
    return value
  })
}

export function currency(name: string, standard: string, meaning: string) {
  return setting(name, 'code', standard, meaning, (value) => {
    if (!Intl.supportedValuesOf('currency').includes(value)) {
      throw new RangeError(`must be an ISO 4217 currency such as EUR, not ${JSON.stringify(value)}`)
    }
    return value
  })
}

export function optionalSetting(name: string, placeholder: string, meaning: string) {
  return setting(name, placeholder, null, meaning, (value) => (value === '' ? null : value))
}

/** A secret that is sent in a header. Errors do not repeat it. */
export function token(name: string, meaning: string) {
  return setting(name, 'token', null, meaning, (value) => {
    if (!/^[!-~]*$/.test(value)) throw new RangeError('must be one line without spaces, of printable ASCII characters')
    return value === '' ? null : value
  })
}

export function webAddress(name: string, example: string, meaning: string) {
  return setting(name, 'url', null, meaning, (value) => {
    if (value === '') return null
    const scheme = URL.canParse(value) ? new URL(value).protocol : ''
    if (/[?#]/.test(value)) throw new RangeError('must have no query and no fragment, because paths are appended')
    if (scheme === 'http:' || scheme === 'https:') return value
    throw new RangeError(`must be an http or https address such as ${example}`)
  })
}

export function origin(name: string, example: string, meaning: string) {
  return setting(name, 'url', null, meaning, (value) => {
    if (value === '') return null
    const url = URL.canParse(value) ? new URL(value) : null
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && value.replace(/\/$/, '') === url.origin
    if (!isOrigin) throw new RangeError(`must be an http or https address without a path, such as ${example}`)
    return url.origin
  })
}

/** Every part must be unambiguous: half of a password with a `#` would be taken for the host and printed. */
const DATABASE_ADDRESS = /^postgres(?:ql)?:\/\/(?!\/|$)(?:[^/?#]*@)?[^/?#@]*(?:\/[^/?#@]*)?(?:\?[^#@]*)?$/

/** The error does not repeat the value, which may contain a password. Throws RangeError. */
export function readDatabase(value: string): string {
  if (DATABASE_ADDRESS.test(value)) return value
  throw new RangeError(
    'must be like postgres://user@host:5432/name; in a password, / ? # are written %2F %3F %23, or it is given in PGPASSWORD',
  )
}

export function database(name: string, meaning: string) {
  return setting(name, 'address', null, meaning, (value) => (value === '' ? null : readDatabase(value)))
}

/** The error does not repeat the value, which may contain a password. */
export function smtpAddress(name: string, meaning: string) {
  return setting(name, 'url', null, meaning, (value) => {
    if (value === '') return null
    const url = URL.parse(value)
    const isGood = (url?.protocol === 'smtp:' || url?.protocol === 'smtps:') && url.hostname !== ''
    if (isGood) return value
    throw new RangeError('must be like smtp://user:password@mail.example.com:587, or begin with smtps://')
  })
}

export function whole(name: string, min: number, max: number, standard: string, meaning: string) {
  const range = wholeNumber(min, max)
  return setting(name, 'number', standard, `${meaning} (${min} to ${max})`, (value) => {
    return readWhole(value, range) ?? refuse(ruleOf(range), value)
  })
}

const DAYS = wholeNumber(0, 36_500)

export function days(name: string, standard: string, meaning: string) {
  return setting(name, 'days|ever', standard, `${meaning} (0 to ${DAYS.maximum}, or ever)`, (value) => {
    return value === 'ever' ? null : (readWhole(value, DAYS) ?? refuse(`${ruleOf(DAYS)}, or ever`, value))
  })
}

/** Throws a RangeError. */
function refuse(rule: string, value: string): never {
  throw new RangeError(`must be ${rule}, not ${JSON.stringify(value)}`)
}

export function choice<C extends string>(name: string, choices: readonly C[], standard: C, meaning: string) {
  return setting(name, choices.join('|'), standard, meaning, (value) => {
    return choices.find((each) => each === value) ?? refuse(ruleOf({ enum: choices }), value)
  })
}

export function names(name: string, standard: readonly string[], meaning: string) {
  return setting(name, 'names|none', standard.join(','), meaning, (value): readonly string[] => {
    return value === 'none' ? [] : [...new Set(value.split(',').map((each) => each.trim()))]
  })
}

export function choices<C extends string>(name: string, all: readonly C[], standard: string, meaning: string) {
  return setting(name, `${all.join(',')}|none`, standard, meaning, (value): readonly C[] => {
    const named = value === 'none' ? [] : value.split(',').map((each) => each.trim())
    const unknown = named.find((each) => !all.some((one) => one === each))
    if (unknown !== undefined) refuse(ruleOf({ enum: all }), unknown)
    return all.filter((each) => named.includes(each))
  })
}

/** Pairs `name=choice`, in their order. */
export function pairs<C extends string>(name: string, choices: readonly C[], meaning: string) {
  return setting(name, 'pairs', null, meaning, (value): readonly (readonly [string, C])[] => {
    const list = value.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
    return list.map((pair) => {
      const [, left = '', right = ''] = /^(.+?)\s*=\s*([^=]*)$/.exec(pair) ?? []
      if (left === '') throw new RangeError(`${JSON.stringify(pair)} is not a pair such as staff=support`)
      return [left, choices.find((each) => each === right) ?? refuse(ruleOf({ enum: choices }), right)] as const
    })
  })
}

/** An https address with or without a path, of http on this machine alone. */
export function identityProvider(name: string, meaning: string) {
  return setting(name, 'url', null, meaning, (value) => {
    if (value === '') return null
    const url = URL.parse(value)
    const isGood = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
    if (isGood && url?.search === '' && url.hash === '' && url.username === '') return value
    throw new RangeError('must be an https address such as https://login.example.com/realms/firm')
  })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)
}

export function networks(name: string, meaning: string) {
  return setting(name, 'networks', null, meaning, (value): readonly string[] => {
    const list = value.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
    return list.map((each) => {
      const network = readNetwork(each)
      if (network === null) throw new RangeError(`${JSON.stringify(each)} is not a network such as 10.0.0.0/8`)
      return network
    })
  })
}
