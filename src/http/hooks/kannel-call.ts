/** Calls in Kannel's form: a GET of a `dlr-url` or a `get-url`, and a POST to a `post-url`. */
import {
  isInboundReport,
  kannelValueOf,
  numberIn,
  type ProgramEvent,
  readProgramEvent,
} from '../../domain/reports/program-event.ts'
import type { ReportTarget } from '../../domain/reports/report-target.ts'
import { writeReceiptText } from '../../wire/smpp/receipt-text.ts'
import { type EscapeFacts, fillEscapes, percentEncoded } from './fill-escapes.ts'
import type { AnswerBody } from './hook-connection.ts'
import type { ProgramCall } from './program-request.ts'

/** Returns null for a report that the form cannot say. */
export function writeKannelCall({ to, facts }: ReportTarget, body: string): ProgramCall | null {
  if (isInboundReport(body)) return writeInboundCall({ to, facts }, JSON.parse(body))
  const event = readProgramEvent(body)
  if (event === null) return null
  return { method: 'GET', url: fillEscapes(to, receiptEscapes(event, to, facts)), headers: [], body: '' }
}

/** Unset numbers, and what only radio networks know. */
const UNKNOWN = { m: '-1', M: '-1', v: '-1', V: '-1', u: '', B: '', f: '', D: '' }

function receiptEscapes(event: ProgramEvent, to: string, facts: ReportTarget['facts']): EscapeFacts {
  const { from = '', user = '', account = '', coding = '0', smsc = event.channel, plus, mask, at } = facts
  // Kannel names the receiver as the client wrote it.
  const receiver = percentEncoded(`${plus === undefined || event.phone === '' ? '' : '+'}${event.phone}`)
  const id = percentEncoded(event.messageId)
  return {
    text: replyOf(event, Number(at ?? event.at)),
    values: {
      ...UNKNOWN,
      ...numbersOf(receiver, percentEncoded(from)),
      ...timesOf(event.at),
      ...charsetOf(coding),
      d: String(kannelValueOf(event, numberIn(mask)) ?? 0),
      i: percentEncoded(smsc),
      ...{ I: id, F: id, n: percentEncoded(user), R: percentEncoded(to), o: percentEncoded(account) },
    },
  }
}

/** What the SMSC would have answered, or its receipt. */
function replyOf({ kind, state, messageId, error, at }: ProgramEvent, submittedAt: number): string {
  if (kind === 'accepted') return 'ACK/'
  if (kind === 'refused') return `NACK/${error === '' ? state : error}`
  const delivered = kind === 'delivered'
  const facts = { id: messageId, stat: state, err: delivered ? '000' : '001', delivered, submittedAt, doneAt: at }
  return writeReceiptText({ ...facts, text: '' })
}

interface InboundBody {
  readonly timestamp: string
  readonly inbound_id: number
  readonly phone: number | null
  readonly from: string
  readonly to: string
  readonly channel: string
  readonly text: string
  readonly keyword: string | null
}

function writeInboundCall({ to, facts }: Omit<ReportTarget, 'form'>, inbound: InboundBody): ProgramCall {
  const { inbound_id: id, phone, channel, text, keyword } = inbound
  const { method, smsc = channel, strip } = facts
  // Kannel writes numbers of an international type with a plus.
  const from = phone === null ? inbound.from : `+${phone}`
  const at = Date.parse(inbound.timestamp)
  const service = keyword ?? 'default'
  const values = {
    ...UNKNOWN,
    ...numbersOf(percentEncoded(from), percentEncoded(inbound.to)),
    ...timesOf(at),
    ...charsetOf('0'),
    ...{ d: '-1', F: '', R: '', o: '' },
    ...{ i: percentEncoded(smsc), I: String(id), n: percentEncoded(service) },
  }
  const url = fillEscapes(to, { values, text })
  if (method?.toLowerCase() !== 'post') return { method: 'GET', url, headers: [], body: '' }
  const named = { From: from, To: inbound.to, Time: writeTime(at), SMSC: smsc, Coding: '0', Service: service }
  const headers = Object.entries(named).map(([name, value]): [string, string] => [`X-Kannel-${name}`, value])
  return {
    method: 'POST',
    url,
    headers: [['Content-Type', 'text/plain; charset="UTF-8"'], ...headers],
    body: strip === 'yes' ? text.replace(FIRST_WORD, '') : text,
  }
}

const FIRST_WORD = /^\s*\S+\s*/

function numbersOf(p: string, P: string) {
  const withPlus = (number: string) => number.replace(/^00/, '%2B')
  return { p, P, q: withPlus(p), Q: withPlus(P) }
}

function timesOf(at: number) {
  return { t: writeTime(at).replace(' ', '+'), T: String(Math.floor(at / 1000)) }
}

function writeTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

/** Texts are UTF-8 whatever the coding. */
function charsetOf(coding: string) {
  return { c: percentEncoded(coding), C: 'UTF-8', O: '00' }
}

const TAGS = /<[^>]*>/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Returns the text of an answer to an inbound message, which is a reply to the phone; empty if it is none. */
export function readReply({ contentType, bytes }: AnswerBody): string {
  const [type = ''] = contentType.toLowerCase().split(';')
  const text = decode(bytes, /charset="?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? 'utf-8')
  switch (type.trim()) {
    case '':
    case 'text/plain':
      return text.trimEnd()
    case 'text/html':
    case 'text/vnd.wap.wml':
      return text
        .replace(TAGS, '')
        .replace(/&([a-z]{2,4});/g, (entity, name: string) => ENTITIES[name] ?? entity)
        .trim()
    default:
      return ''
  }
}

function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString()
  }
}
