/** The operation that Jasmin's arguments ask for, and where its callbacks go. */
import type { Login } from '../../domain/accounts/login.ts'
import { writeTarget } from '../../domain/reports/report-target.ts'
import type { Reporting } from '../../operations/request/planned.ts'
import type { Operation } from '../translate/ask.ts'
import { classOfLevel, textSend } from '../translate/text-send.ts'
import { type Arguments, argumentText, invalid } from './arguments.ts'
import { readContent, readHex } from './read-content.ts'
import { readScheduledTime } from './read-time.ts'

export interface Order {
  readonly operation: Operation
  /** Null for the hook of the account. */
  readonly reporting: Reporting | null
}

/** Of arguments without a fault (arguments.ts). Returns the text of an error for what cannot be sent. */
export function orderOf(
  args: Arguments,
  login: Pick<Login, 'type' | 'sender' | 'priority'>,
  now: number,
): Order | string {
  const text = contentOf(args)
  if (typeof text !== 'string') return text.error
  const sdt = args.get('sdt')
  const at = sdt === undefined ? null : readScheduledTime(sdt.toString(), now)
  if (sdt !== undefined && at === null) return invalid('sdt', sdt)
  const minutes = args.get('validity-period')
  const asked = {
    type: login.type,
    phone: argumentText(args, 'to'),
    sender: argumentText(args, 'from') || login.sender,
    text,
    priority: classOfLevel(Number(argumentText(args, 'priority') || '0'), login.priority),
  }
  const send = textSend(asked, minutes === undefined ? {} : { last: Number(minutes.toString()) * 60 })
  const url = argumentText(args, 'dlr-url')
  return {
    operation: {
      ...send,
      ...(at === null ? {} : { send_at: new Date(at).toISOString() }),
      // Checked like every hook; the target below replaces it.
      ...(url === '' ? {} : { hook: url }),
    },
    reporting: url === '' ? null : reportingOf(args, url, now),
  }
}

/** Returns what a price is asked for; a text of one letter if there is none. */
export function priceQuestionOf(
  args: Arguments,
  login: Pick<Login, 'type' | 'sender' | 'priority'>,
  now: number,
): Operation | string {
  const order = orderOf(args, login, now)
  if (typeof order === 'string') return order
  const { type, ...fields } = order.operation
  const texts = Object.entries(fields).map(([name, value]) => [name, value === '' ? 'x' : value])
  return { ...Object.fromEntries(texts), type: 'price', send_type: type }
}

function contentOf(args: Arguments): string | { readonly error: string } {
  const hex = args.get('hex-content')
  const bytes = hex === undefined ? (args.get('content') ?? Buffer.alloc(0)) : readHex(hex.toString())
  if (bytes === null) return { error: `Invalid hex-content data: '${argumentText(args, 'hex-content').slice(0, 100)}'` }
  const coding = args.get('coding') ?? Buffer.from('0')
  const text = readContent(bytes, Number(coding.toString()), hex !== undefined)
  if (text !== null) return text
  const isData = readContent(Buffer.alloc(0), Number(coding.toString()), true) === null
  return {
    error: isData ? invalid('coding', coding) : invalid(hex === undefined ? 'content' : 'hex-content', hex ?? bytes),
  }
}

/** Level 1 is what the carrier answers, level 2 the end, level 3 both. */
function reportingOf(args: Arguments, url: string, now: number): Reporting {
  const level = argumentText(args, 'dlr-level') || '1'
  const method = (argumentText(args, 'dlr-method') || 'POST').toUpperCase()
  const to = writeTarget({ form: 'jasmin', to: url, facts: { level, method, at: String(now) } })
  return { to, steps: level !== '2' }
}
