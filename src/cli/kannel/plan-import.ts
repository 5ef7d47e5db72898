/** Plans what an import of kannel.conf creates. */
import { isSenderName } from '../../contract/fields/kinds.ts'
import { readTarget } from '../../domain/reports/report-target.ts'
import type { ImportChoices, ImportPlan, PlannedLogin, PlannedNumber } from './import-plan.ts'
import type { Group, Note } from './kannel-file.ts'
import { readGroups } from './read-groups.ts'
import { readFileLines } from './read-lines.ts'
import { translateService } from './translate-service.ts'
import { type TranslatedSmsc, translateSmscs } from './translate-smsc.ts'
import { translateUser } from './translate-user.ts'

/** Groups of Kannel itself, for which Posthorn has settings of its own. */
const OF_KANNEL: ReadonlySet<string> = new Set([
  ...[
    'core',
    'smsbox',
    'smsbox-route',
    'smsc',
    'sendsms-user',
    'sms-service',
    'modems',
    'dlr-db',
    'store-db',
    'mysql-connection',
  ],
  ...['pgsql-connection', 'sqlite3-connection', 'oracle-connection', 'mssql-connection', 'sdb-connection'],
  ...['redis-connection', 'cass-connection'],
])

const OTHER_GROUPS: ReadonlyMap<string, string> = new Map([
  ['wapbox', 'Posthorn has no WAP'],
  ['wap-url-map', 'Posthorn has no WAP'],
  ['ppg', 'Posthorn has no WAP'],
  ['smpp-tlv', 'put it into the setting tlvs of the carrier'],
  ['sqlbox', 'send by an API of Posthorn in place of a table'],
])

/** Settings of core and smsbox that an operator has to know about. */
const KNOWN_SETTINGS: ReadonlyMap<string, string> = new Map([
  ['unified-prefix', 'set the country of national numbers: posthorn account set --national-country'],
  ['white-list', 'set the allow list of numbers: posthorn number'],
  ['black-list', 'set the deny list of numbers: posthorn number'],
  ['sendsms-url', 'Posthorn answers /cgi-bin/sendsms'],
  ['mo-recode', 'Posthorn reports texts in UTF-8'],
])

/** Reads a file and those that it includes. Throws the error of the system, or Error for too much of something. */
export function planImport(file: string, choices: ImportChoices): ImportPlan {
  const source = readFileLines(file)
  const { groups, notes: formNotes } = readGroups(source.lines)
  const notes: Note[] = [...source.notes, ...formNotes]
  const named = (name: string) => groups.filter((group) => group.name === name)
  for (const group of groups) noteGroup(group, notes)
  const smscs = translateSmscs(named('smsc'), choices.checkSettings, notes)
  const globalSender = named('smsbox').flatMap(({ settings }) => settings.get('global-sender')?.value ?? [])[0] ?? null
  const logins = translateUsers(named('sendsms-user'), { ...choices, globalSender }, notes)
  const numbers = translateServices(named('sms-service'), smscs, choices, notes)
  return {
    carriers: smscs.map(({ carrier }) => carrier),
    routes: smscs.flatMap(({ routes }) => routes),
    logins,
    numbers,
    senders: sendersOf(logins, numbers),
    notes: sortNotes(notes),
  }
}

function noteGroup({ name, file, line, settings }: Group, notes: Note[]): void {
  if (!OF_KANNEL.has(name)) {
    notes.push({
      file,
      line,
      subject: `group ${name.slice(0, 40)}`,
      why: OTHER_GROUPS.get(name) ?? 'has no counterpart',
    })
  }
  if (name !== 'core' && name !== 'smsbox') return
  for (const [key, setting] of settings) {
    const why = KNOWN_SETTINGS.get(key)
    if (why !== undefined) notes.push({ file: setting.file, line: setting.line, subject: `${name}, ${key}`, why })
  }
}

function translateUsers(
  groups: readonly Group[],
  choices: Parameters<typeof translateUser>[1],
  notes: Note[],
): readonly PlannedLogin[] {
  const logins = new Map<string, PlannedLogin>()
  for (const group of groups) {
    const login = translateUser(group, choices, notes)
    if (login === null) continue
    if (logins.has(login.name)) notes.push({ ...placeOf(group), subject: `sendsms-user ${login.name}`, why: TWICE })
    else logins.set(login.name, login)
  }
  return [...logins.values()]
}

const TWICE = 'is there twice: the first one counts'

/** As in Kannel, the first service that fits gets the message. */
function translateServices(
  groups: readonly Group[],
  smscs: readonly TranslatedSmsc[],
  choices: ImportChoices,
  notes: Note[],
): readonly PlannedNumber[] {
  const numbers = new Map<string, PlannedNumber>()
  for (const group of groups) {
    for (const number of translateService(group, smscs, choices, notes)) {
      const key = JSON.stringify([number.carrier, number.address, number.keyword])
      if (!numbers.has(key)) numbers.set(key, number)
      else notes.push({ ...placeOf(group), subject: `sms-service ${number.keyword ?? 'default'}`, why: TWICE })
    }
  }
  return [...numbers.values()]
}

function placeOf({ file, line }: Group) {
  return { file, line }
}

/** Of logins, and of numbers that answer. */
function sendersOf(logins: readonly PlannedLogin[], numbers: readonly PlannedNumber[]): readonly string[] {
  const ofLogins = logins.flatMap(({ sender }) => sender ?? [])
  const ofReplies = numbers.filter(answers).map(({ address }) => address)
  return [...new Set([...ofLogins, ...ofReplies])].filter((name) => isSenderName('sms', name)).sort()
}

function answers({ hook, reply }: PlannedNumber): boolean {
  return reply !== null || (hook !== null && readTarget(hook)?.facts['reply'] !== 'no')
}

function sortNotes(notes: readonly Note[]): readonly Note[] {
  const order = (note: Note) => `${note.file}\u0000${String(note.line).padStart(9, '0')}`
  return [...notes].sort((one, other) => (order(one) < order(other) ? -1 : order(one) > order(other) ? 1 : 0))
}
