/** The arguments of Jasmin's requests, and its texts for what is wrong with them. */
import { readJsonObject, readRawParams } from '../shared/raw-params.ts'

/** Values as they arrived; of several with one name the first. */
export type Arguments = ReadonlyMap<string, Buffer>

interface Rule {
  readonly name: string
  readonly pattern?: RegExp
  readonly mandatory?: true
}

const LOGIN: readonly Rule[] = [
  { name: 'username', mandatory: true, pattern: /^.{1,64}$/ },
  { name: 'password', mandatory: true, pattern: /^.{1,128}$/ },
]

const MESSAGE: readonly Rule[] = [
  { name: 'to', mandatory: true, pattern: /^\+?\d+$/ },
  { name: 'from' },
  { name: 'coding', pattern: /^(\d|10|13|14)$/ },
  ...LOGIN,
  { name: 'priority', pattern: /^[0-3]$/ },
  { name: 'validity-period', pattern: /^\d+$/ },
  { name: 'tags', pattern: /^[-a-zA-Z0-9,]*$/ },
  { name: 'content' },
  { name: 'hex-content' },
]

/** By endpoint. */
const ARGUMENTS = {
  send: [
    ...MESSAGE,
    { name: 'sdt', pattern: /^\d{15}[-+R]$/ },
    { name: 'dlr', pattern: /^(yes|no)$/ },
    { name: 'dlr-url', pattern: /^https?:\/\/.*$/ },
    { name: 'dlr-level', pattern: /^[1-3]$/ },
    { name: 'dlr-method', pattern: /^(get|post)$/i },
    // None can be sent.
    { name: 'custom_tlvs', pattern: /^(\[\])?$/ },
  ],
  rate: MESSAGE,
  balance: LOGIN,
} as const satisfies Readonly<Record<string, readonly Rule[]>>

export type JasminEndpoint = keyof typeof ARGUMENTS

/** All arguments of an endpoint together are fewer. */
const MAX_ARGUMENTS = 64

const MANDATORY = 'Mandatory arguments not found, please refer to the HTTPAPI specifications.'

/** Returns the arguments in a query or a form; null for too many. */
export function readForm(text: string): Arguments | null {
  const params = readRawParams(text, MAX_ARGUMENTS)
  if (params === null) return null
  const args = new Map<string, Buffer>()
  for (const [name, value] of params) if (!args.has(name)) args.set(name, value)
  return args
}

/** Returns the arguments in a JSON object, whose values are texts and numbers; null for another body. */
export function readJsonArguments(body: Buffer): Arguments | null {
  const read = readJsonObject(body)
  return read === null ? null : argumentsOf(read)
}

/** `custom_tlvs` is a list; other values that are no text or number have a form that no rule allows. */
function argumentsOf(object: Readonly<Record<string, unknown>>): Arguments {
  const members = Object.entries(object).slice(0, MAX_ARGUMENTS)
  return new Map(
    members.map(([name, value]) => [name, Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))]),
  )
}

/** Names may have an underscore for each dash. */
export function dashedArguments(members: object): Arguments {
  const entries = Object.entries(members).map(([name, value]) => [dashed(name), value])
  return argumentsOf(Object.fromEntries(entries))
}

export function dashed(name: string): string {
  return name === 'custom_tlvs' ? name : name.replaceAll('_', '-')
}

/** Returns the text for the first fault; null if there is none. */
export function faultIn(args: Arguments, endpoint: JasminEndpoint): string | null {
  if (args.size === 0) return MANDATORY
  const rules: readonly Rule[] = ARGUMENTS[endpoint]
  const isKnown = (name: string) => rules.some((rule) => rule.name === name)
  const [first = ''] = args.keys()
  // Jasmin checks all rules after the name of the first argument, and then the names of the others.
  if (!isKnown(first)) return unknown(first)
  for (const rule of rules) {
    const value = args.get(rule.name)
    if (value === undefined && rule.mandatory === true) return `Mandatory argument [${rule.name}] is not found.`
    if (value !== undefined && rule.pattern?.test(value.toString()) === false) return invalid(rule.name, value)
  }
  const other = [...args.keys()].find((name) => !isKnown(name))
  if (other !== undefined) return unknown(other)
  const isContent = args.has('content')
  const isHex = args.has('hex-content')
  if (isContent && isHex) return 'content and hex-content cannot be used both in same request.'
  return endpoint === 'send' && !isContent && !isHex ? 'content or hex-content not present.' : null
}

/** Returns the text about a value. Passwords are not repeated. */
export function invalid(name: string, value: Buffer): string {
  return `Argument [${name}] has an invalid value: [${name === 'password' ? '' : value.toString().slice(0, 100)}].`
}

function unknown(name: string): string {
  return `Argument [${name.slice(0, 100)}] is unknown.`
}

export function argumentText(args: Arguments, name: string): string {
  return args.get(name)?.toString() ?? ''
}
