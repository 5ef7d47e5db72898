/** Translates `smsc` groups to carriers and their routes. */

import type { SettingsCheck } from '../../operations/admin/fields/carrier-kinds.ts'
import { GroupReader, type Reasons } from './group-reader.ts'
import type { PlannedCarrier, PlannedRoute } from './import-plan.ts'
import type { Group, Note } from './kannel-file.ts'
import { translateGeneric } from './translate-http-smsc.ts'
import { translateSmpp } from './translate-smpp-smsc.ts'

/** A carrier made of a group. */
export interface TranslatedSmsc {
  readonly carrier: PlannedCarrier
  readonly routes: readonly PlannedRoute[]
  /** As services name it; null for none. */
  readonly smscId: string | null
  /** Its own number; null for none. */
  readonly number: string | null
}

const MAX_ID = 40
/** Of routes that prefer a carrier; the default is 100. */
const PREFERRED = 50
const USUAL = 100

const BY_NUMBER = 'Posthorn chooses the carrier by number, account and sender, not by a name in the request'

const UNNEEDED: ReadonlySet<string> = new Set([
  ...['log-file', 'log-level', 'access-log', 'dead-start', 'smsc-admin-id', 'group', 'smsc'],
  ...['reconnect-delay', 'connection-timeout', 'wait-ack-expire', 'receive-port', 'sms-center', 'max-error-count'],
  ...['source-addr-autodetect', 'alt-dcs', 'connect-allow-ip', 'connect-deny-ip', 'msg-id-type', 'smsc-smtp-port'],
])

const REASONS: Reasons = new Map([
  ['denied-prefix', 'routes name the numbers that a carrier gets: give another carrier a route with this prefix'],
  ...['allowed-smsc-id', 'denied-smsc-id', 'preferred-smsc-id'].map((key) => [key, BY_NUMBER] as const),
  ...['allowed-prefix-regex', 'denied-prefix-regex', 'preferred-prefix-regex'].map(
    (key) => [key, 'routes have prefixes, not regular expressions'] as const,
  ),
  ...['reroute', 'reroute-smsc-id', 'reroute-receiver', 'reroute-dlr'].map(
    (key) => [key, 'an inbound message goes to the account of its number'] as const,
  ),
  ['ssl-client-certkey-file', 'put its certificate and key into the settings tls.certificate and tls.key'],
  ['esm-class', 'Posthorn sets it for each message'],
  ['validityperiod', 'the lifetime of a message is that of its request or account'],
  ['unified-prefix', 'Posthorn writes all numbers with their country code'],
])

export function translateSmscs(
  groups: readonly Group[],
  checkSettings: SettingsCheck,
  notes: Note[],
): readonly TranslatedSmsc[] {
  const ids = new Set<string>()
  const receivers = groups.filter(isReceiverOnly)
  const joined = new Set<Group>()
  const translated = groups.flatMap((group) => {
    if (receivers.includes(group)) return []
    const receiver = receivers.find((each) => !joined.has(each) && isSameAccount(each, group))
    if (receiver !== undefined) joined.add(receiver)
    const one = translateOne(group, { hasReceiver: receiver !== undefined, ids, checkSettings }, notes)
    return one === null ? [] : [one]
  })
  for (const { file, line, settings } of receivers.filter((group) => !joined.has(group))) {
    const subject = `smsc ${settings.get('smsc-id')?.value ?? ''}`.trim()
    notes.push({ file, line, subject, why: 'only receives, and no group sends with its host and smsc-username' })
  }
  return translated
}

/** Kannel needs two groups for a carrier that has one port for each direction. */
function isReceiverOnly({ settings }: Group): boolean {
  const [port, receivePort] = ['port', 'receive-port'].map((key) => Number(settings.get(key)?.value ?? 0))
  return settings.get('smsc')?.value === 'smpp' && port === 0 && receivePort !== 0
}

function isSameAccount(one: Group, other: Group): boolean {
  return ['smsc', 'host', 'smsc-username'].every(
    (key) => one.settings.get(key)?.value === other.settings.get(key)?.value,
  )
}

interface SmscTools {
  /** Another group receives for it. */
  readonly hasReceiver: boolean
  /** Of carriers so far. */
  readonly ids: Set<string>
  readonly checkSettings: SettingsCheck
}

function translateOne(group: Group, { hasReceiver, ids, checkSettings }: SmscTools, notes: Note[]) {
  const smscId = group.settings.get('smsc-id')?.value ?? null
  const reader = new GroupReader(group, smscId === null ? 'smsc' : `smsc ${smscId}`, notes)
  const kind = reader.text('smsc')?.toLowerCase() ?? null
  reader.text('smsc-id')
  const settings = settingsOf(kind, reader, hasReceiver)
  if (settings === null) return null
  const driver = kind === 'smpp' ? 'smpp' : 'http'
  const fault = faultOf(() => checkSettings(driver, settings))
  if (fault !== null) {
    reader.note(null, `cannot be a carrier: ${fault}`)
    return null
  }
  const id = makeId(smscId ?? reader.text('host') ?? 'kannel', ids)
  const carrier = { id, kind: driver, channel: 'sms', settings } as const
  const number = reader.text('my-number')
  const routes = translateRoutes(reader, id)
  reader.finish(UNNEEDED, REASONS)
  return { carrier, routes, smscId, number }
}

function settingsOf(kind: string | null, reader: GroupReader, hasReceiver: boolean): PlannedCarrier['settings'] | null {
  if (kind === 'smpp') return translateSmpp(reader, hasReceiver)
  if (kind === 'http') return translateGeneric(reader)
  const why = kind === null ? 'has no smsc type' : `Posthorn has no carriers of the type ${kind.slice(0, 20)}`
  reader.note(kind === null ? null : 'smsc', why)
  return null
}

/** Returns the error of a check, which names a setting and none of its values. */
function faultOf(check: () => void): string | null {
  try {
    check()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** One route for each prefix, or one for all numbers. */
function translateRoutes(reader: GroupReader, carrier: string): readonly PlannedRoute[] {
  const allowed = readPrefixes(reader, 'allowed-prefix')
  const preferred = readPrefixes(reader, 'preferred-prefix')
  const all = allowed.length > 0 || reader.text('allowed-prefix') !== null ? allowed : ['']
  return [
    ...all.filter((prefix) => !preferred.includes(prefix)).map((prefix) => ({ carrier, prefix, priority: USUAL })),
    ...preferred.map((prefix) => ({ carrier, prefix, priority: PREFERRED })),
  ]
}

/** International prefixes as digits. */
function readPrefixes(reader: GroupReader, key: string): readonly string[] {
  const prefixes = reader.list(key).map((each) => each.replaceAll(/[\s-]/g, '').replace(/^(\+|00)/, ''))
  const good = prefixes.filter((prefix) => /^[1-9]\d{0,14}$/.test(prefix))
  if (good.length < prefixes.length) {
    reader.note(key, 'prefixes that begin with no country code are left out: Posthorn knows numbers by 49…, not 0…')
  }
  return [...new Set(good)]
}

/** Carriers that are named alike get numbers. */
function makeId(name: string, ids: Set<string>): string {
  const plain =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'kannel'
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `-${count}`
    const id = plain.slice(0, MAX_ID - suffix.length) + suffix
    if (!ids.has(id)) {
      ids.add(id)
      return id
    }
  }
}
