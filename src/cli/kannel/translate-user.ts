/** Translates `sendsms-user` groups to logins. */
import { isSenderName } from '../../contract/fields/kinds.ts'
import {
  isLoginName,
  LOGIN_NAME_RULE,
  LONG_PASSWORD,
  MAX_LOGIN_NAME,
  MAX_PASSWORD,
  PASSWORD_FORM,
} from '../../domain/accounts/login.ts'
import { GroupReader, type Reasons } from './group-reader.ts'
import type { PlannedLogin } from './import-plan.ts'
import type { Group, Note } from './kannel-file.ts'

const BY_NUMBER =
  'Posthorn chooses the carrier by number, account and sender: give the login an account of its own for a route of its own'

const UNNEEDED: ReadonlySet<string> = new Set([
  ...['group', 'concatenation', 'max-messages', 'omit-empty', 'name', 'split-chars', 'split-suffix'],
  ...['assume-plain-text', 'accept-x-kannel-headers', 'default-smsc'],
])

const REASONS: Reasons = new Map([
  ['forced-smsc', BY_NUMBER],
  ['header', 'put it into the texts'],
  ['footer', 'put it into the texts'],
  ['allowed-prefix', 'set the allowed countries of the account, or routes of the account'],
  ['denied-prefix', 'set the deny list of numbers, or the allowed countries of the account'],
  ['white-list', 'set the allow list of numbers: posthorn number'],
  ['black-list', 'set the deny list of numbers: posthorn number'],
  ['dlr-url', 'programs name it in each request, or set the default hook of the account'],
])

const EVERYWHERE = '*.*.*.*'

function isLogin(name: string, password: string): boolean {
  return isLoginName(name) && PASSWORD_FORM.test(password) && password.length <= MAX_PASSWORD
}

/** `networks` and `globalSender` count where a user has none. */
export function translateUser(
  group: Group,
  { networks, globalSender }: { readonly networks: readonly string[]; readonly globalSender: string | null },
  notes: Note[],
): PlannedLogin | null {
  const name = group.settings.get('username')?.value ?? ''
  const reader = new GroupReader(group, `sendsms-user ${name.slice(0, MAX_LOGIN_NAME)}`.trim(), notes)
  const password = reader.text('password') ?? ''
  const own = readNetworks(reader)
  const sender = readSender(reader, globalSender)
  if (reader.text('username') === null || !isLogin(name, password)) {
    const why = `needs a username of ${LOGIN_NAME_RULE}, and a password of at most ${MAX_PASSWORD} ASCII characters`
    reader.note(null, why)
    return null
  }
  const chosen = own === null || own.length === 0 ? networks : own
  if (chosen.length === 0 && (own !== null || password.length < LONG_PASSWORD)) {
    const why = own === null ? `its password has fewer than ${LONG_PASSWORD} characters` : 'it is allowed from nowhere'
    reader.note('password', `${why}, so it needs user-allow-ip, or here --network with the networks of its programs`)
    return null
  }
  reader.finish(UNNEEDED, REASONS)
  return { name, password, sender, networks: chosen.length === 0 ? null : chosen }
}

/** Returns null for a user who is accepted from everywhere, and an empty list for one who is from nowhere. */
function readNetworks(reader: GroupReader): readonly string[] | null {
  const [allowed, denied] = [reader.list('user-allow-ip'), reader.text('user-deny-ip')]
  const networks = allowed.map(networkOf)
  if (networks.includes(null)) reader.note('user-allow-ip', 'holds something that is no IPv4 address with * at its end')
  if (denied !== null && denied !== EVERYWHERE) reader.note('user-deny-ip', 'logins name the networks that are allowed')
  if (allowed.length === 0) return denied === EVERYWHERE ? [] : null
  const good = [...new Set(networks.filter((network) => network !== null))]
  return good.includes('0.0.0.0/0') ? null : good
}

/** `10.1.*.*` is `10.1.0.0/16`. */
function networkOf(address: string): string | null {
  const parts = address.split('.')
  const known = parts.indexOf('*')
  const count = known === -1 ? parts.length : known
  const isGood =
    parts.length === 4 &&
    parts.slice(count).every((part) => part === '*') &&
    parts.slice(0, count).every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)
  if (!isGood) return null
  return `${parts.map((part) => (part === '*' ? '0' : String(Number(part)))).join('.')}/${count * 8}`
}

function readSender(reader: GroupReader, globalSender: string | null): string | null {
  const [faked, standard] = [reader.text('faked-sender'), reader.text('default-sender')]
  const sender = faked ?? standard ?? globalSender
  if (faked !== null) reader.note('faked-sender', 'counts only for requests that name no sender')
  if (sender === null || isSenderName('sms', digitsOf(sender))) return sender === null ? null : digitsOf(sender)
  const key = faked !== null ? 'faked-sender' : standard !== null ? 'default-sender' : null
  reader.note(key, key === null ? 'global-sender is no sender name of SMS' : 'is no sender name of SMS')
  return null
}

/** Posthorn writes numbers without what precedes the country code. */
function digitsOf(sender: string): string {
  return sender.replace(/^(\+(?=\d{3,15}$)|00(?=[1-9]\d{6,14}$))/, '')
}
