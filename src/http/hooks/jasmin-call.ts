/** Calls in Jasmin's form: parameters of a receipt or an inbound message, in a query or a form. */
import {
  isInboundReport,
  jasminLevelOf,
  numberIn,
  type ProgramEvent,
  readProgramEvent,
} from '../../domain/reports/program-event.ts'
import type { ReportTarget } from '../../domain/reports/report-target.ts'
import { encodeGsm, isGsmText } from '../../domain/text/gsm-alphabet.ts'
import type { ProgramCall } from './program-request.ts'

type Parameters = readonly (readonly [name: string, encoded: string])[]

/** What became of a message of a batch (apis/jasmin/batch-callbacks.ts), in its parameters. */
const BATCH_HEAD = '{"batchId":'

/** Returns null for a report that the form cannot say. */
export function writeJasminCall({ to, facts }: ReportTarget, body: string): ProgramCall | null {
  const parameters = body.startsWith(BATCH_HEAD)
    ? Object.entries(JSON.parse(body)).map(([name, value]) => [name, encodeURIComponent(String(value))] as const)
    : isInboundReport(body)
      ? ofInbound(JSON.parse(body), facts)
      : ofReceipt(body, facts)
  if (parameters === null) return null
  const written = parameters.map(([name, encoded]) => `${name}=${encoded}`).join('&')
  if (facts['method']?.toUpperCase() === 'GET') {
    const url = `${to}${to.includes('?') ? '&' : '?'}${written}`
    return { method: 'GET', url, headers: [], body: '' }
  }
  return { method: 'POST', url: to, headers: [['Content-Type', 'application/x-www-form-urlencoded']], body: written }
}

function ofReceipt(body: string, facts: ReportTarget['facts']): Parameters | null {
  const event = readProgramEvent(body)
  const level = event === null ? null : jasminLevelOf(event, numberIn(facts['level']))
  if (event === null || level === null) return null
  const { messageId, channel, state, kind, at } = event
  const common: readonly [string, string][] = [
    ['id', messageId],
    ['level', String(level)],
    ['message_status', level === 2 ? state : answerOf(event)],
    ['connector', channel],
  ]
  const receipt: readonly [string, string][] = [
    ['id_smsc', messageId],
    ['sub', '001'],
    // Receivers read these two as numbers.
    ['dlvrd', kind === 'delivered' ? '001' : '000'],
    ['subdate', writeTime(Number(facts['at'] ?? at))],
    ['donedate', writeTime(at)],
    ['err', kind === 'delivered' || kind === 'accepted' ? '000' : '001'],
    ['text', (facts['text'] ?? '').slice(0, 20)],
  ]
  return [...common, ...(level === 2 ? receipt : [])].map(([name, value]) => [name, encodeURIComponent(value)])
}

function answerOf({ kind }: ProgramEvent): string {
  return kind === 'refused' ? 'ESME_RSUBMITFAIL' : 'ESME_ROK'
}

interface InboundBody {
  readonly inbound_id: number
  readonly phone: number | null
  readonly from: string
  readonly to: string
  readonly channel: string
  readonly text: string
}

/**
 * `content` has the bytes that a carrier would send: GSM for coding 0, UTF-16 for coding 8; UTF-8 if the target asks
 * for it, as RapidPro reads every coding but 0.
 */
function ofInbound(
  { inbound_id: id, phone, from, to, channel, text }: InboundBody,
  { content }: ReportTarget['facts'],
): Parameters {
  const isGsm = isGsmText(text)
  const bytes = isGsm
    ? Buffer.from(encodeGsm(text))
    : content === 'utf-8'
      ? Buffer.from(text)
      : Buffer.from(text, 'utf16le').swap16()
  const plain: readonly [string, string][] = [
    ['id', String(id)],
    ['from', phone === null ? from : String(phone)],
    ['to', to],
    ['origin-connector', channel],
    ['coding', isGsm ? '0' : '8'],
    ['priority', '0'],
    ['binary', bytes.toString('hex')],
  ]
  const encoded = plain.map(([name, value]) => [name, encodeURIComponent(value.toWellFormed())] as const)
  return [...encoded, ['content', encodeBytes(bytes)]]
}

function encodeBytes(bytes: Buffer): string {
  return bytes.toString('hex').replace(/../g, '%$&')
}

/** `YYMMDDhhmm`, UTC. */
function writeTime(at: number): string {
  return new Date(at).toISOString().replace(/\D/g, '').slice(2, 12)
}
