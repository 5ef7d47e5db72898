/** The XML protocol at `/api/xml.php`: a package with commands, answered with a package of their results. */
import { REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { readTime, readTimeIn } from '../../domain/time/read-time.ts'
import {
  chatappFields,
  idOf,
  type OlderAccount,
  type OlderApi,
  type OlderResult,
  type Operation,
  priceOf,
  statusTime,
  timeOf,
} from '../translate/ask.ts'
import { escapeXml, type XmlElement, XmlReader } from './read-xml.ts'

/** Error codes of a package, and of one message. */
export const UNKNOWN_ERROR = 200
export const WRONG_FORMAT = 201
const WRONG_KEY = 202
const TOO_FAST = 212
const WRONG_ID = 201
const DONE = 1

interface Context {
  readonly account: OlderAccount
  /** Milliseconds. */
  readonly now: number
}

interface Command {
  /** Elements in it may have elements in turn. Elsewhere those would be missing in a text. */
  readonly isDeep?: boolean
  /** Name of a second element with its results. */
  readonly alsoAs?: string
  /** The elements that each are one operation. */
  readonly entries: (command: XmlElement) => readonly XmlElement[]
  /** Returns null for what the gateway cannot do. */
  readonly operation: (entry: XmlElement, context: Context) => Operation | null
  /** `result` is null if the operation was not executed. */
  readonly write: (entry: XmlElement, result: OlderResult | null) => string
}

const messages = (command: XmlElement) => command.children.filter(({ name }) => name === 'msg')

/** A message may have its id as an element too, like its other fields. */
const viberMessages = (command: XmlElement) =>
  messages(command).map((entry) => {
    const id = childOf(entry, 'id')
    return id === '' ? entry : { ...entry, attributes: { id, ...entry.attributes } }
  })

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['message', { entries: messages, operation: smsOf, write: writeSent('sms_id') }],
  ['message-viber', { isDeep: true, entries: viberMessages, operation: viberOf, write: writeSent('msg_id') }],
  ['status', { entries: messages, operation: (entry) => ({ type: 'status', ...namedBy(entry) }), write: writeStatus }],
  [
    'delete',
    {
      // Older programs read the result as a status.
      alsoAs: 'status',
      entries: messages,
      operation: (entry) => ({ type: 'cancel', ...namedBy(entry) }),
      write: writeDeleted,
    },
  ],
  ['balance', { entries: (command) => [command], operation: () => ({ type: 'balance' }), write: writeBalance }],
  [
    'prices',
    {
      entries: (command) => command.children,
      operation: ({ text }, { account }) => priceOf(account, text.trim()),
      write: writePrice,
    },
  ],
])

/** Codes of a message's status. */
const STATUSES: Readonly<Record<string, number>> = {
  QUEUED: 100,
  ACCEPTED: 101,
  DELIVERED: 102,
  READ: 102,
  EXPIRED: 103,
  CANCELLED: 104,
  UNDELIVERABLE: 105,
  UNKNOWN: 107,
  REJECTED: 108,
  FILTERED: 109,
  'NO ROUTE': 111,
}

interface Entry {
  readonly element: XmlElement
  readonly command: Command
  readonly operation: Operation | null
}

/** Returns the answer. `now` in milliseconds. */
export async function answerXml(body: Buffer, { ask, open }: OlderApi, now: number): Promise<string> {
  const reader = new XmlReader(body)
  // As with JSON, the key of a large document is checked before more than its first 4 KiB are read.
  const isLarge = reader.read()
  const { root } = reader
  if (root === null || (!isLarge && commandsOf(root) === null)) return xmlFailure(WRONG_FORMAT)
  const account = await open(keyOf(root), () => isLarge && reader.read())
  if (typeof account === 'string') return xmlFailure(codeOfRequest(account))
  const commands = reader.root === null ? null : commandsOf(reader.root)
  if (commands === null) return xmlFailure(WRONG_FORMAT)
  const blocks = commands.map(({ element, command }) => {
    return { names: namesOf(element, command, root), entries: entriesOf(element, command, { account, now }) }
  })
  const asked = blocks.flatMap(({ entries }) =>
    entries.flatMap(({ operation }) => (operation === null ? [] : [operation])),
  )
  // A key is checked even if no operation is left.
  const { error, results } = await ask(keyOf(root), asked.length === 0 ? [{ type: 'balance' }] : asked)
  if (error !== null) return xmlFailure(codeOfRequest(error))
  const left = [...(asked.length === 0 ? [] : results)]
  return write(blocks.map(({ names, entries }) => writeBlock(names, entries, left)).join(''))
}

interface SentCommand {
  readonly element: XmlElement
  readonly command: Command
}

/** Returns null if the document is no package of commands. */
function commandsOf({ name, children }: XmlElement): readonly SentCommand[] | null {
  const commands = children.flatMap((element) => {
    const command = COMMANDS.get(element.name)
    return command !== undefined && mayHave(element, command) ? [{ element, command }] : []
  })
  return name === 'package' && commands.length > 0 && commands.length === children.length ? commands : null
}

function keyOf({ attributes: { key = '', password = '' } }: XmlElement): string {
  return key || password
}

function mayHave({ children }: XmlElement, command: Command): boolean {
  return command.isDeep === true || children.every((each) => each.children.length === 0)
}

function entriesOf(element: XmlElement, command: Command, context: Context): readonly Entry[] {
  return command
    .entries(element)
    .map((entry) => ({ element: entry, command, operation: command.operation(entry, context) }))
}

/** A second element would be taken for the result of a command with that name in the same package. */
function namesOf({ name }: XmlElement, { alsoAs }: Command, root: XmlElement): readonly string[] {
  return alsoAs === undefined || root.children.some((other) => other.name === alsoAs) ? [name] : [name, alsoAs]
}

/** Takes the results of its entries from the beginning of `left`. */
function writeBlock(names: readonly string[], entries: readonly Entry[], left: OlderResult[]): string {
  const content = entries.map(({ element, command, operation }) =>
    command.write(element, operation === null ? null : (left.shift() ?? null)),
  )
  return names.map((name) => `<${name}>${content.join('')}</${name}>`).join('')
}

/** Flash, WAP and voice messages are not possible. */
function smsOf({ attributes, text }: XmlElement, context: Context): Operation | null {
  const { id = '', recipient = '', sender = '', type = '0', date_beg: begin = '', date_end: end = '' } = attributes
  if (type !== '0') return null
  const lifetime = end === '' ? '' : lifetimeOf(begin, end, context)
  return {
    type: 'sms',
    ...(id === '' ? {} : { id: idOf(id) }),
    phone: recipient,
    sms_signature: sender,
    sms_message: text,
    send_at: timeOf(begin),
    sms_lifetime: lifetime,
  }
}

/** Seconds until the end; a text that the API refuses if one of the times cannot be read. */
function lifetimeOf(begin: string, end: string, { account, now }: Context): number | string {
  const read = (text: string) =>
    account.timeZone === null ? readTime(timeOf(text)) : readTimeIn(account.timeZone, timeOf(text))
  const until = read(end)
  const from = begin === '' ? now : read(begin)
  return until === null || from === null ? 'unknown' : Math.floor((until - Math.max(from, now)) / 1000)
}

function childOf({ children }: XmlElement, name: string): string {
  return children.find((each) => each.name === name)?.text.trim() ?? ''
}

function viberOf(entry: XmlElement): Operation {
  const child = (name: string) => childOf(entry, name)
  const { id = '' } = entry.attributes
  return {
    type: 'chatapp',
    ...(id === '' ? {} : { id: idOf(id) }),
    phone: child('phone'),
    ...chatappFields({
      type: child('button') === '' ? child('type') : 'button',
      from: child('sender'),
      text: child('text'),
      image: child('image'),
      url: child('url'),
      button: child('button'),
    }),
  }
}

function namedBy({ attributes: { id = '', sms_id: smsId = '' } }: XmlElement): Operation {
  return smsId === '' ? { id: idOf(id) } : { msg_id: smsId }
}

function writeSent(idName: 'sms_id' | 'msg_id') {
  return ({ attributes: { id } }: XmlElement, result: OlderResult | null): string => {
    const { msg_id: messageId, parts } = result?.data ?? {}
    const code = result === null ? UNKNOWN_ERROR : result.success ? DONE : codeOfMessage(result)
    const count = idName === 'sms_id' ? { sms_count: parts ?? 0 } : {}
    return writeMessage({ id, [idName]: messageId ?? 0, ...count }, code)
  }
}

function writeStatus(entry: XmlElement, result: OlderResult | null): string {
  if (result?.success !== true) return writeUnknown(entry)
  const { id, msg_id: messageId, parts, status } = result.data
  const code = STATUSES[String(status)] ?? UNKNOWN_ERROR
  const isFinal = code > 101
  const completed = isFinal ? { date_completed: statusTime(result, '+00:00') } : {}
  return writeMessage({ id, sms_id: messageId, sms_count: parts, ...completed }, code)
}

function writeDeleted(entry: XmlElement, result: OlderResult | null): string {
  if (result?.success === true) {
    const { id, msg_id: messageId } = result.data
    return writeMessage({ id, sms_id: messageId, sms_count: 0 }, STATUSES['CANCELLED'] ?? UNKNOWN_ERROR)
  }
  return result?.error.startsWith('Too late') === true ? writeMessage(entry.attributes, 211) : writeUnknown(entry)
}

function writeUnknown({ attributes: { id, sms_id: smsId = '0' } }: XmlElement): string {
  return writeMessage({ id, sms_id: smsId, sms_count: 0 }, WRONG_ID)
}

function writeBalance(_: XmlElement, result: OlderResult | null): string {
  const { amount = '', currency = '' } = result?.data ?? {}
  return `<amount>${escapeXml(String(amount))}</amount><currency>${escapeXml(String(currency))}</currency>`
}

/** A price of 0 means that the number cannot be sent to. */
function writePrice({ text }: XmlElement, result: OlderResult | null): string {
  const { price = 0, currency = '' } = result?.data ?? {}
  return `<phone${attributesOf({ price, currency })}>${escapeXml(text.trim())}</phone>`
}

function writeMessage(attributes: Readonly<Record<string, unknown>>, code: number): string {
  return `<msg${attributesOf(attributes)}>${code}</msg>`
}

function attributesOf(attributes: Readonly<Record<string, unknown>>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
}

function codeOfMessage({ error, field }: OlderResult): number {
  if (field.endsWith('_signature')) return 202
  if (field === 'phone' && !/too many/.test(error)) return 203
  if (field.endsWith('_message')) return 204
  if (error === 'Insufficient funds') return 206
  if (/limit reached|too many/.test(error)) return 207
  return UNKNOWN_ERROR
}

function codeOfRequest(error: string): number {
  if (error === REQUEST_ERRORS.accessDenied) return WRONG_KEY
  if (error.startsWith('Rate limit')) return TOO_FAST
  return error.startsWith('data') ? WRONG_FORMAT : UNKNOWN_ERROR
}

export function xmlFailure(code: number): string {
  return write(`<error>${code}</error>`)
}

function write(content: string): string {
  return `<?xml version="1.0" encoding="utf-8" ?>\n<package>${content}</package>\n`
}
