/** From a submission to its submit_sm PDUs, one for each asked part, and from the carrier's answers to verdicts. */
import { encodeGsm, isGsmText } from '../../domain/gsm-alphabet.ts'
import type { Verdict } from '../../domain/journey-event.ts'
import { BUCKETS, type MessageId } from '../../domain/message-id.ts'
import { splitText, type TextEncoding } from '../../domain/text-parts.ts'
import type { Submission } from '../../ports/carrier.ts'
import { describeStatus, STATUS } from '../../wire/smpp/command-status.ts'
import { MOST_PARTS, UDH_INDICATOR, writeConcatenation } from '../../wire/smpp/concatenation.ts'
import type { Address, ShortMessage } from '../../wire/smpp/pdu.ts'
import type { Outcome } from '../../wire/smpp/session.ts'
import { NO_TLVS } from '../../wire/smpp/tlv.ts'
import { writeValidityPeriod } from '../../wire/smpp/validity-period.ts'
import type { SmppSettings } from './read-settings.ts'

type SourceSettings = Pick<SmppSettings, 'sourceTon' | 'sourceNpi'>

const TON = { international: 1, network: 3, alphanumeric: 5 } as const
const NPI = { none: 0, e164: 1 } as const
const DATA_CODING = { gsm7: 0, ucs2: 8 } as const
const LONGEST_NAME = 11
/** Numbers up to this length are short codes. */
const LONGEST_SHORT_CODE = 6

/** The PDUs in the order of `submission.parts`; a text says why there can be none. */
export function writeSubmits(submission: Submission, settings: SourceSettings): readonly ShortMessage[] | string {
  const { content, parts: asked, messageId } = submission
  if (content.kind !== 'text') return 'SMS carries nothing but text'
  const source = readSource(submission.sender, settings)
  if (source === null) return 'the sender is neither a number nor a name of up to 11 characters'
  const { encoding, parts } = splitText(content.text)
  if (parts.length > MOST_PARTS) return `${parts.length} parts are more than SMS can join`
  const pdus: ShortMessage[] = []
  for (const index of asked) {
    const text = parts[index]
    if (text === undefined) return `there is no part ${index}`
    const body = encodeText(text, encoding)
    const header = { reference: referenceOf(messageId), total: parts.length, number: index + 1 }
    pdus.push({
      command: 'submit_sm',
      serviceType: '',
      source,
      destination: { ton: TON.international, npi: NPI.e164, digits: submission.phone },
      esmClass: parts.length > 1 ? UDH_INDICATOR : 0,
      protocolId: 0,
      priority: 0,
      scheduleTime: '',
      validityPeriod: writeValidityPeriod(submission.lifetimeSeconds),
      registeredDelivery: 1,
      replaceIfPresent: 0,
      dataCoding: DATA_CODING[encoding],
      defaultMessageId: 0,
      payload: parts.length > 1 ? Buffer.concat([writeConcatenation(header), body]) : body,
      tlvs: NO_TLVS,
    })
  }
  return pdus
}

/** Named by its form: digits are a number, long or short; anything else is a name of letters that GSM and Latin-1 share. */
function readSource(sender: string, { sourceTon, sourceNpi }: SourceSettings): Address | null {
  const form = formOf(sender)
  return form === null ? null : { ton: sourceTon ?? form.ton, npi: sourceNpi ?? form.npi, digits: sender }
}

function formOf(sender: string): Omit<Address, 'digits'> | null {
  if (/^\d{1,15}$/.test(sender)) {
    if (sender.length <= LONGEST_SHORT_CODE) return { ton: TON.network, npi: NPI.none }
    return { ton: TON.international, npi: NPI.e164 }
  }
  const isName = sender.length <= LONGEST_NAME && /^[ -~\u00a1-\u00ff]+$/.test(sender) && isGsmText(sender)
  return isName ? { ton: TON.alphanumeric, npi: NPI.none } : null
}

function encodeText(text: string, encoding: TextEncoding): Uint8Array {
  return encoding === 'gsm7' ? encodeGsm(text) : Buffer.from(text, 'utf16le').swap16()
}

/** The same on every try; messages that an account sends one after the other have different ones. */
function referenceOf(messageId: MessageId): number {
  return Math.floor(messageId / BUCKETS) % 256
}

const SLOW: ReadonlySet<number> = new Set([
  STATUS.systemError,
  STATUS.queueFull,
  STATUS.throttled,
  STATUS.temporaryAppError,
])

const REJECTED: ReadonlySet<number> = new Set([
  STATUS.badMessageLength,
  STATUS.badPriority,
  STATUS.badRegisteredDelivery,
  STATUS.badSource,
  STATUS.badServiceType,
  STATUS.badEsmClass,
  STATUS.submitFailed,
  STATUS.badSourceTon,
  STATUS.badSourceNpi,
  STATUS.badDestinationTon,
  STATUS.badDestinationNpi,
  STATUS.badSchedule,
  STATUS.badExpiry,
  STATUS.badDefaultMessageId,
  STATUS.permanentAppError,
  STATUS.rejectedByApp,
  STATUS.badTlvStream,
  STATUS.tlvNotAllowed,
  STATUS.badTlvLength,
  STATUS.missingTlv,
  STATUS.badTlvValue,
  STATUS.deliveryFailed,
])

/** `ownRef` stands in for the id of a carrier that takes a message and names none; no receipt will ever find it. */
export function verdictOf(outcome: Outcome, ownRef: string): Verdict {
  if (outcome.kind === 'failed') return { kind: 'unclear', reason: outcome.reason }
  const { answer } = outcome
  if (answer.status === STATUS.ok) {
    if (answer.command !== 'submit_sm_resp') return { kind: 'unclear', reason: `answered by ${answer.command}` }
    return { kind: 'taken', ref: answer.messageId === '' ? ownRef : answer.messageId }
  }
  const reason = describeStatus(answer.status)
  if (answer.status === STATUS.badDestination) return { kind: 'refused', status: 'UNDELIVERABLE', reason }
  if (SLOW.has(answer.status)) return { kind: 'slow', reason, retryAfterMs: null }
  if (REJECTED.has(answer.status)) return { kind: 'refused', status: 'REJECTED', reason }
  return { kind: 'unclear', reason }
}
