/**
 * The query protocol at `/api/http.php`: a command in the query or a form, answered with lines of `name:value`. Clients
 * that encode their values as base64url get the answer in that encoding, as a serialized array of PHP.
 */
import { ITEM_ERRORS, REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import {
  chatappFields,
  type OlderAccount,
  type OlderApi,
  type OlderResult,
  type Operation,
  priceOf,
  statusTime,
  timeOf,
} from '../translate/ask.ts'
import { fromBase64Url, serialize, toBase64Url } from './php-values.ts'

type Params = ReadonlyMap<string, string>

interface Command {
  /** Returns the operation, or the text of an error. */
  readonly operation: (params: Params, account: OlderAccount) => Operation | string
  readonly lines: (result: OlderResult) => readonly Line[]
}

type Line = readonly [name: string, value: string]

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['send', { operation: sendOf, lines: ({ data }) => lines({ id: data['msg_id'], sms_count: data['parts'] }) }],
  ['receive', { operation: (params) => ({ type: 'status', msg_id: get(params, 'id') }), lines: statusLines }],
  ['delete', { operation: (params) => ({ type: 'cancel', msg_id: get(params, 'id') }), lines: deletedLines }],
  ['balance', { operation: () => ({ type: 'balance' }), lines: ({ data }) => lines({ balance: data['amount'] }) }],
  ['price', { operation: pricedOf, lines: ({ data }) => lines({ price: data['price'], currency: data['currency'] }) }],
])

/** Status texts and codes of the protocol. */
const STATUSES: Readonly<Record<string, readonly [text: string, code: number]>> = {
  QUEUED: ['Pending', 0],
  ACCEPTED: ['Sent', 2],
  DELIVERED: ['Delivered', 3],
  READ: ['Read', 116],
  EXPIRED: ['Out of touch', 5],
  UNDELIVERABLE: ['Out of touch', 5],
  CANCELLED: ['Deleted', 10],
}
const FAILED = ['Network failure', 96] as const

const ON: readonly string[] = ['1', 'true']

/** Returns the body of the answer. `sent` has the query and the form. */
export async function answerQuery(sent: URLSearchParams, api: OlderApi): Promise<string> {
  const plain: Params = new Map(sent)
  if (COMMANDS.has(get(plain, 'command'))) return writeLines(await execute(plain, api))
  const decoded: Params = new Map([...plain].map(([name, value]) => [name, fromBase64Url(value)]))
  if (COMMANDS.has(get(decoded, 'command'))) return toBase64Url(writeSerialized(await execute(decoded, api)))
  return writeLines([['errors', 'Unknown command']])
}

async function execute(params: Params, api: OlderApi): Promise<readonly Line[]> {
  const command = COMMANDS.get(get(params, 'command'))
  if (command === undefined) return [['errors', 'Unknown command']]
  // Bytes of another encoding than UTF-8 would change the text.
  if ([...params.values()].some((value) => value.includes('\ufffd'))) return [['errors', 'Text must be UTF-8']]
  const key = get(params, 'key') || get(params, 'password') || get(params, 'pass')
  const account = await api.open(key)
  if (typeof account === 'string') return [['errors', describe(account)]]
  const operation = command.operation(params, account)
  if (typeof operation === 'string') return [['errors', operation]]
  const { error, results } = await api.ask(key, [operation])
  const [result] = results
  if (error !== null || result === undefined) return [['errors', describe(error ?? REQUEST_ERRORS.internal)]]
  return result.success ? command.lines(result) : [['errors', describe(inParameters(result.error))]]
}

function sendOf(params: Params): Operation | string {
  if (get(params, 'wap') !== '') return 'wap is not supported'
  if (ON.includes(get(params, 'flash'))) return 'flash is not supported'
  const sms = { sms_signature: get(params, 'from'), sms_message: textOf(params) }
  const common = { phone: get(params, 'to'), send_at: timeOf(get(params, 'ask_date')) }
  if (!ON.includes(get(params, 'viber'))) return { type: 'sms', ...common, ...sms }
  const chatapp = {
    ...chatappFields({
      type: get(params, 'viber_type') || 'text',
      from: get(params, 'viber_from'),
      text: get(params, 'viber_message'),
      image: get(params, 'viber_image'),
      url: get(params, 'viber_url'),
      button: get(params, 'viber_button'),
    }),
    chatapp_lifetime: get(params, 'viber_lifetime'),
  }
  if (!ON.includes(get(params, 'viber_sms'))) return { type: 'chatapp', ...common, ...chatapp }
  return { type: 'chatapp+sms', ...common, ...chatapp, ...sms }
}

function pricedOf(params: Params, account: OlderAccount): Operation {
  return priceOf(account, get(params, 'to'), { from: get(params, 'from'), text: textOf(params) })
}

/** Some clients name it `text`. */
function textOf(params: Params): string {
  return get(params, 'message') || get(params, 'text')
}

function statusLines(result: OlderResult): readonly Line[] {
  const [status, code] = STATUSES[String(result.data['status'])] ?? FAILED
  return lines({ status, code, status_time: statusTime(result, '+0000') })
}

function deletedLines(): readonly Line[] {
  return lines({ status: 'Deleted', code: 10 })
}

function lines(values: Readonly<Record<string, unknown>>): readonly Line[] {
  return Object.entries(values).map(([name, value]) => [name, String(value)])
}

/** The parameters that fields of the JSON API come from. */
const PARAMETERS: Readonly<Record<string, string>> = {
  phone: 'to',
  send_at: 'ask_date',
  sms_signature: 'from',
  sms_message: 'message',
  chatapp_type: 'viber_type',
  chatapp_signature: 'viber_from',
  chatapp_message: 'viber_message',
  chatapp_image: 'viber_image',
  chatapp_link: 'viber_url',
  chatapp_button: 'viber_button',
  chatapp_lifetime: 'viber_lifetime',
}

/** An error text begins with its field, and may name others. */
function inParameters(error: string): string {
  return error.replace(/^phone(?=:)|\b(send_at|(sms|chatapp)_[a-z]+)\b/g, (field) => PARAMETERS[field] ?? field)
}

/** Clients split lines at colons, so error texts have none; and they compare some of them. */
function describe(error: string): string {
  if (error === REQUEST_ERRORS.accessDenied) return 'Wrong login/password'
  if (error === ITEM_ERRORS.insufficientFunds) return 'Not enough money'
  if (error === 'message: required') return 'Please enter SMS text'
  if (error === ITEM_ERRORS.invalidPhone || /^to: (?:required|must begin)/.test(error)) {
    return 'Please enter valid receiver phone number'
  }
  if (error === ITEM_ERRORS.noSuchMessage || error.startsWith('msg_id')) return 'SMS not found'
  return error.replaceAll(':', '')
}

function writeLines(all: readonly Line[]): string {
  return all.map(([name, value]) => `${name}:${value}\n`).join('')
}

/** Clients count `errors`, so it is always a list. */
function writeSerialized(all: readonly Line[]): string {
  const errors = all.filter(([name]) => name === 'errors').map(([, value]) => value)
  return serialize({ ...Object.fromEntries(all), errors })
}

function get(params: Params, name: string): string {
  return (params.get(name) ?? '').trim()
}
