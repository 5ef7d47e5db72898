/** Reads what a request of Kannel's `sendsms` asks for, with Kannel's own answers to what is wrong. */
import { isAbsoluteAddress } from '../../contract/fields/kinds.ts'
import type { Login } from '../../domain/accounts/login.ts'
import { type ReportTarget, writeTarget } from '../../domain/reports/report-target.ts'
import { brokenHookRule, type HookGuard } from '../../operations/request/check-hook.ts'
import type { Reporting } from '../../operations/request/planned.ts'
import { type Parameters, parameterText } from './parameters.ts'

export interface KannelSend {
  readonly receivers: readonly string[]
  /** Null if the request names none. */
  readonly sender: string | null
  readonly text: string
  /** Minutes from now; null if unset. */
  readonly deferred: number | null
  readonly validity: number | null
  /** The priority; null if unset. */
  readonly priority: number | null
  /** Null if no callback was asked for. */
  readonly reporting: Reporting | null
}

/** Who sends, when, and where callbacks may go. */
export interface SendFacts {
  readonly login: Pick<Login, 'name' | 'sender'>
  /** Milliseconds. */
  readonly now: number
  readonly hookGuard: HookGuard
  /** A POST names its receivers in another way. */
  readonly isPost: boolean
}

/** The answer to a request that breaks a rule of Kannel. */
export interface Misformed {
  readonly status: 400
  readonly text: string
}

export function misformed(text: string): Misformed {
  return { status: 400, text }
}

export function misformedField(name: string): Misformed {
  return misformed(`${name} field misformed, rejected`)
}

export const DENIED_NUMBERS = misformed('Number(s) has/have been denied by white- and/or black-lists.')
export const MISFORMED_BODY = misformed('Charset or body misformed, rejected')

interface NumberRule {
  readonly name: string
  readonly called: string
  readonly max: number
  /** Only values up to this one can be sent; all if absent. */
  readonly sent?: number
  /** Whatever is no number of the range is refused. Of others -1 is unset, and Kannel ignores what is no number. */
  readonly isStrict?: true
}

/** In the order of Kannel's checks. */
const NUMBERS: readonly NumberRule[] = [
  { name: 'dlr-mask', called: 'DLR-Mask', max: 127 },
  // Class 1 is that of ordinary messages.
  { name: 'mclass', called: 'MClass', max: 3 },
  { name: 'pid', called: 'PID', max: 255, sent: 0 },
  { name: 'rpi', called: 'RPI', max: 2 },
  { name: 'alt-dcs', called: 'Alt-DCS', max: 1 },
  { name: 'mwi', called: 'MWI', max: 7, sent: -1 },
  { name: 'coding', called: 'Coding', max: 2 },
  { name: 'compress', called: 'Compress', max: 1, sent: 0 },
  { name: 'validity', called: 'Validity', max: Number.MAX_SAFE_INTEGER },
  { name: 'deferred', called: 'Deferred', max: Number.MAX_SAFE_INTEGER },
  { name: 'priority', called: 'Priority', max: 3, isStrict: true },
]

const ORDINARY_CLASS = 1
const BINARY = 1
const UNICODE = 2

/** Returns the answer to a request that is not sent. */
export function readKannelSend(parameters: Parameters, facts: SendFacts): KannelSend | Misformed {
  const receivers = readReceivers(parameters, facts)
  if ('status' in receivers) return receivers
  if ((parameters.get('udh')?.length ?? 0) > 0) return misformedField('UDH')
  const account = parameterText(parameters, 'account') ?? ''
  if (account.length > 64 || /[[\]\r\n]/.test(account))
    return misformed('Account field misformed or too long, rejected')
  const url = readDlrUrl(parameters, facts.hookGuard)
  if (url === 'misformed') return misformedField('DLR-URL')
  const numbers = readNumbers(parameters)
  if ('status' in numbers) return numbers
  const text = readMessage(parameters, numbers.get('coding') ?? null)
  if (text === null) return MISFORMED_BODY
  const sender = readSender(parameterText(parameters, 'from')) ?? facts.login.sender
  return {
    receivers: receivers.list,
    sender,
    text,
    deferred: numbers.get('deferred') ?? null,
    validity: numbers.get('validity') ?? null,
    priority: numbers.get('priority') ?? null,
    reporting: reportingOf(url, numbers.get('dlr-mask') ?? 0, {
      from: sender ?? '',
      user: facts.login.name,
      at: String(facts.now),
      ...(account === '' ? {} : { account }),
      ...optional('smsc', parameterText(parameters, 'smsc')),
      ...optional('coding', numbers.get('coding')?.toString() ?? null),
      ...(receivers.list.every((receiver) => receiver.startsWith('+')) ? { plus: '1' } : {}),
    }),
  }
}

function readReceivers(
  parameters: Parameters,
  { isPost }: SendFacts,
): { readonly list: readonly string[] } | Misformed {
  const to = parameterText(parameters, 'to')
  if (to === null) {
    return misformed(isPost ? 'Missing receiver(s) number(s), rejected' : 'Missing receiver number, rejected')
  }
  const list = to.split(/\s+/).filter((receiver) => receiver !== '')
  if (list.length === 0) return misformed('Empty receiver number not allowed, rejected')
  return list.some((receiver) => /^[\d+-]+$/.test(receiver)) ? { list } : DENIED_NUMBERS
}

function readDlrUrl(parameters: Parameters, guard: HookGuard): string | 'misformed' | null {
  const url = parameterText(parameters, 'dlr-url', 'dlrurl')?.trim().replace(/\s/g, encodeURIComponent) ?? ''
  if (url === '') return null
  return isAbsoluteAddress(url) && url.length <= MAX_URL && brokenHookRule(guard, url) === null ? url : 'misformed'
}

const MAX_URL = 2_048

/** As `sscanf("%d")` does: what begins with no digits is unset. */
function readNumbers(parameters: Parameters): ReadonlyMap<string, number> | Misformed {
  const numbers = new Map<string, number>()
  for (const { name, called, max, sent = max, isStrict = false } of NUMBERS) {
    const text = parameterText(parameters, name, name.replace('-', '')) ?? ''
    if (isStrict && !/^\d*$/.test(text.trim())) return misformedField(called)
    const [digits] = /^\s*[+-]?\d{1,15}/.exec(text) ?? []
    if (digits === undefined) continue
    const number = Number(digits)
    if (number < -1 || number > max || number > sent) return misformedField(called)
    if (number >= 0) numbers.set(name, number)
  }
  const messageClass = numbers.get('mclass') ?? ORDINARY_CLASS
  if (messageClass !== ORDINARY_CLASS) return misformedField('MClass')
  return numbers.get('coding') === BINARY ? misformedField('Coding') : numbers
}

/** Names of charsets that TextDecoder knows under another one. */
const CHARSETS: Readonly<Record<string, string>> = {
  'ucs-2': 'utf-16be',
  'ucs-2be': 'utf-16be',
  ucs2: 'utf-16be',
  'utf-16': 'utf-16be',
  utf16be: 'utf-16be',
  latin1: 'iso-8859-1',
}

/** Returns null for bytes that are not of their charset, and for no text. */
function readMessage(parameters: Parameters, coding: number | null): string | null {
  const named = parameterText(parameters, 'charset')?.trim().toLowerCase() ?? ''
  const charset = named === '' ? (coding === UNICODE ? 'utf-16be' : 'utf-8') : (CHARSETS[named] ?? named)
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(parameters.get('text') ?? Buffer.alloc(0))
    return text === '' ? null : text
  } catch {
    return null
  }
}

/** A number with a plus is approved without it. */
function readSender(from: string | null): string | null {
  const sender = from?.trim().replace(/^\+(?=\d+$)/, '') ?? ''
  return sender === '' ? null : sender
}

const ACCEPTED_BY_SMSC = 8

function reportingOf(url: string | null, mask: number, facts: ReportTarget['facts']): Reporting | null {
  if (url === null || mask <= 0) return null
  const target: ReportTarget = { form: 'kannel', to: url, facts: { mask: String(mask), ...facts } }
  return { to: writeTarget(target), steps: (mask & ACCEPTED_BY_SMSC) !== 0 }
}

function optional(name: string, value: string | null): ReportTarget['facts'] {
  return value === null || value === '' ? {} : { [name]: value }
}
