/** What the placeholders and conditions of a generic HTTP carrier stand for in one submission. */
import type { Registration } from '../../domain/accounts/sender.ts'
import { BUCKETS } from '../../domain/ids/message-id.ts'
import { classOfTenant, type TextContent } from '../../domain/message/message.ts'
import { formOfSender } from '../../domain/numbers/sender-form.ts'
import { isGsmText } from '../../domain/text/gsm-alphabet.ts'
import { countParts, splitText } from '../../domain/text/text-parts.ts'
import type { Submission } from '../../ports/carriers/carrier.ts'
import { writeConcatenation } from '../../wire/smpp/concatenation.ts'
import { uuidOf } from '../shared/name-uuid.ts'
import type { CallbackAddresses } from './calls/callbacks.ts'
import type { FittingTemplate } from './registered-templates.ts'
import type { HttpSettings } from './settings.ts'
import { NO_VALUES, type PartsOfTemplate, type TemplateValues } from './template.ts'

/** What requests of a carrier contain besides the submission. */
export interface Around {
  readonly settings: Pick<HttpSettings, 'senders' | 'lifetime'>
  readonly callbacks: CallbackAddresses
  readonly template: FittingTemplate
  /** Milliseconds. */
  readonly now: number
}

/** Values that few settings use are made when a template asks for them. */
class SubmissionValues implements TemplateValues {
  readonly phone: string
  readonly sender: string
  readonly registration: Registration
  readonly text: string
  readonly ref: string
  readonly part: string
  readonly parts: string
  readonly udh: string
  readonly #content: TextContent
  readonly #tenant: number
  readonly #seconds: number
  readonly #around: Around

  constructor(submission: Submission, content: TextContent, part: PartValues, around: Around) {
    const { phone, sender, tenant, lifetimeSeconds, registration = NO_VALUES.registration } = submission
    const { senders, lifetime } = around.settings
    this.phone = phone
    this.sender = (senders.get(sender) ?? sender).toWellFormed()
    this.registration = registration
    this.text = part.text
    this.ref = part.ref
    this.part = part.part
    this.parts = part.parts
    this.udh = part.udh
    this.#content = content
    this.#tenant = tenant
    this.#seconds = Math.min(Math.max(lifetimeSeconds, lifetime.min), lifetime.max)
    this.#around = around
  }

  get template(): string {
    return this.#around.template.name
  }

  get partsOfTemplate(): PartsOfTemplate {
    return this.#around.template.parts
  }

  get '+phone'(): string {
    return `+${this.phone}`
  }

  get image(): string {
    return (this.#content.image ?? '').toWellFormed()
  }

  get link(): string {
    return (this.#content.link ?? '').toWellFormed()
  }

  get button(): string {
    return (this.#content.button ?? '').toWellFormed()
  }

  get code(): string {
    return this.#content.code ?? ''
  }

  get uuid(): string {
    return uuidOf(`posthorn/http/${this.ref}/${this.phone}`)
  }

  get lifetime(): string {
    return String(this.#seconds)
  }

  get lifetimeMs(): string {
    return String(this.#seconds * 1_000)
  }

  get lifetimeMinutes(): string {
    return String(Math.ceil(this.#seconds / 60))
  }

  get expiresAt(): string {
    return new Date(this.#around.now + this.#seconds * 1_000).toISOString()
  }

  get now(): string {
    return new Date(this.#around.now).toISOString()
  }

  get nowRfc1123(): string {
    return new Date(this.#around.now).toUTCString()
  }

  get textHex(): string {
    return Buffer.from(this.text, 'utf16le').swap16().toString('hex')
  }

  get callback(): string {
    return this.#around.callbacks.receipt
  }

  get inboundCallback(): string {
    return this.#around.callbacks.inbound
  }

  /** All parts of a text have its alphabet. */
  get unicode(): string {
    return factOf(!isGsmText(this.#content.text))
  }

  get long(): string {
    return factOf(countParts(this.#content.text) > 1)
  }

  get senderName(): string {
    return factOf(this.sender !== '' && this.#senderForm() === 'name')
  }

  get senderNumber(): string {
    return factOf(this.#senderForm() === 'number')
  }

  get senderShortCode(): string {
    return factOf(this.#senderForm() === 'shortCode')
  }

  get otp(): string {
    return factOf(classOfTenant(this.#tenant) === 'otp')
  }

  get bulk(): string {
    return factOf(classOfTenant(this.#tenant) === 'bulk')
  }

  /** With a plus, digits are always a whole number. */
  #senderForm(): ReturnType<typeof formOfSender> {
    const form = formOfSender(this.sender.replace(/^\+/, ''))
    return this.sender.startsWith('+') && form === 'shortCode' ? 'number' : form
  }
}

function factOf(isTrue: boolean): string {
  return isTrue ? 'yes' : ''
}

/** @param part index of the one part to send; null for the whole text. */
export function valuesOf(
  submission: Submission,
  content: TextContent,
  part: number | null,
  around: Around,
): TemplateValues {
  const values = part === null ? wholeOf(content.text, submission) : partOf(content.text, part, submission)
  return new SubmissionValues(submission, content, values, around)
}

interface AroundCarrier extends Pick<Around, 'callbacks' | 'now'> {
  /** Of the request: the UUID is made from it. */
  readonly name: string
}

/** For requests about the account at the carrier. */
export function valuesOfCarrier({ callbacks, now, name }: AroundCarrier): TemplateValues {
  const { receipt: callback, inbound: inboundCallback } = callbacks
  const date = new Date(now)
  const uuid = uuidOf(`posthorn/account/${name}/${callback}/${inboundCallback}`)
  return { ...NO_VALUES, callback, inboundCallback, uuid, now: date.toISOString(), nowRfc1123: date.toUTCString() }
}

type PartValues = Pick<TemplateValues, 'text' | 'ref' | 'part' | 'parts' | 'udh'>

function wholeOf(text: string, { messageId, step }: Submission): PartValues {
  return { text: text.toWellFormed(), ref: `${messageId}-${step}`, part: '1', parts: '1', udh: '' }
}

/** Returns the text of one part and its concatenation header (3GPP TS 23.040 section 9.2.3.24.1). */
function partOf(text: string, part: number, { messageId, step }: Submission): PartValues {
  const { parts } = splitText(text)
  const header = { reference: Math.floor(messageId / BUCKETS) % 256, total: parts.length, number: part + 1 }
  return {
    text: (parts[part] ?? '').toWellFormed(),
    ref: `${messageId}-${step}-${part}`,
    part: String(part + 1),
    parts: String(parts.length),
    udh: parts.length > 1 ? Buffer.from(writeConcatenation(header)).toString('hex') : '',
  }
}
