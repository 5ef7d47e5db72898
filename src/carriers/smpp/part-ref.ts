/**
 * The ref of a part: the carrier's id and, for a carrier that reuses ids, what distinguishes parts with the same id.
 * The answer to a submit and the receipt give the same ref.
 */
import { createHash } from 'node:crypto'
import { BUCKETS } from '../../domain/ids/message-id.ts'
import type { Submission } from '../../ports/carriers/carrier.ts'
import type { DataMessage, ShortMessage } from '../../wire/smpp/pdu.ts'
import { findTlv, TAGS } from '../../wire/smpp/tlv.ts'
import { sameRef } from './same-ref.ts'
import type { SmppSettings } from './settings.ts'
import type { Submit } from './write-submits.ts'

type ReceiptIds = SmppSettings['receiptIds']

/** Carriers write numbers with and without prefixes; the last digits are the same in all forms. */
const SIGNIFICANT_DIGITS = 7
/** Length of the digest, so that a ref does not reveal the number: enough to distinguish messages with the same id. */
const DIGEST_LENGTH = 5

/** Adds a user_message_reference to the submit, if the carrier is to return it. */
export function withReference(submit: Submit, submission: Submission, { apartBy }: ReceiptIds): Submit {
  if (apartBy !== 'reference') return submit
  const value = Buffer.alloc(2)
  value.writeUInt16BE(referenceOf(submission, submit))
  return { ...submit, pdu: { ...submit.pdu, tlvs: [...submit.pdu.tlvs, { tag: TAGS.userMessageReference, value }] } }
}

export function refOfAnswer(
  answered: string,
  submission: Submission,
  submit: Submit,
  { apartBy, answer }: ReceiptIds,
): string {
  const id = answered.trim()
  if (apartBy === 'reference') return `${sameRef(id, answer)}~${referenceOf(submission, submit)}`
  if (id === '') return ownRefOf(submission, submit)
  return apartBy === 'recipient'
    ? `${sameRef(id, answer)}~${digestOf(submit.pdu.destination.digits)}`
    : sameRef(id, answer)
}

/** Replaces a missing id: without further distinction no receipt matches it. */
function ownRefOf({ messageId, step }: Submission, { parts }: Submit): string {
  return `unnamed-${messageId}-${step}-${parts[0]}`
}

/** The recipient of a message is the sender of its receipt. */
export function refOfReceipt(id: string, receipt: ShortMessage | DataMessage, settings: ReceiptIds): string {
  const ref = sameRef(id, settings.receipt)
  switch (settings.apartBy) {
    case 'id':
      return ref
    case 'recipient':
      return `${ref}~${digestOf(receipt.source.digits)}`
    case 'reference': {
      const [high = 0, low] = findTlv(receipt.tlvs, TAGS.userMessageReference) ?? []
      return low === undefined ? ref : `${ref}~${high * 256 + low}`
    }
  }
}

/** The same on every attempt; consecutive messages have different ones. */
function referenceOf({ messageId, step }: Submission, { parts }: Submit): number {
  return (Math.floor(messageId / BUCKETS) * 31 + step * 7 + (parts[0] ?? 0)) % 65_536
}

function digestOf(digits: string): string {
  const significant = digits.replace(/\D/g, '').slice(-SIGNIFICANT_DIGITS)
  return createHash('sha256').update(significant).digest('hex').slice(0, DIGEST_LENGTH)
}
