/** Writes a submission for the Cloud API and reads the answer. */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { TextContent } from '../../domain/message/message.ts'
import type { Rich } from '../../domain/message/rich.ts'
import { isUserId, type Phone } from '../../domain/numbers/phone.ts'
import type { HttpResult } from '../../wire/http-client.ts'
import { asText, isJsonObject, parseJsonObject } from '../../wire/json.ts'
import { readHttpVerdict } from '../shared/http-verdict.ts'
import { graphMeaning, readGraphError } from './graph-error.ts'
import { mediaKindOf, writeMedia } from './media.ts'
import { writeWhatsAppRich } from './write-rich.ts'

/** The recipient, and Posthorn's reference, which Meta repeats in its statuses. */
export interface Addressing {
  /** A phone, or a user id. */
  readonly phone: Phone
  readonly ownRef: string
  /** Meta's id of the message that it quotes. */
  readonly quotedRef?: string | undefined
}

/** Returns the body of a message with any plain content, for recipients who have written within 24 hours. */
export function writeFreeMessage(addressing: Addressing, content: TextContent): string {
  return writeMessage(addressing, writeContent(content))
}

/** Returns the same for rich content; null if WhatsApp cannot show it. `plain` is that of the step. */
export function writeRichMessage(addressing: Addressing, rich: Rich, plain: TextContent): string | null {
  const written = writeWhatsAppRich(rich, plain)
  return written === null ? null : writeMessage(addressing, written)
}

/** @param template of `fitFirst`. */
export function writeTemplateMessage(addressing: Addressing, template: object): string {
  return writeMessage(addressing, { type: 'template', template })
}

function writeMessage({ phone, ownRef, quotedRef }: Addressing, content: object): string {
  const product = { messaging_product: 'whatsapp', recipient_type: 'individual' }
  const context = quotedRef === undefined ? undefined : { message_id: quotedRef }
  const recipient = isUserId(phone) ? { recipient: phone } : { to: phone }
  return JSON.stringify({ ...product, ...recipient, biz_opaque_callback_data: ownRef, context, ...content })
}

function writeContent({ text, image, button, link }: TextContent): object {
  if (button !== undefined && link !== undefined) {
    const header = image === undefined ? undefined : writeMedia(mediaKindOf(image) ?? 'image', image)
    const action = { name: 'cta_url', parameters: { display_text: button, url: link } }
    return { type: 'interactive', interactive: { type: 'cta_url', header, body: { text }, action } }
  }
  if (image === undefined) return { type: 'text', text: { body: text, preview_url: false } }
  return writeMedia(mediaKindOf(image) ?? 'image', image, text === '' ? undefined : text)
}

export type SubmitAnswer =
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  /** The recipient has not written within 24 hours. */
  | { readonly kind: 'closed'; readonly words: string }
  | { readonly kind: 'token' | 'opted out'; readonly words: string }

/** Only an error in Meta's own format counts as a refusal. */
export function readGraphAnswer(result: HttpResult): SubmitAnswer {
  if (result.kind === 'silent') return verdict(readHttpVerdict(result))
  if (result.status === 200) return verdict(readTaken(result.body))
  const error = readGraphError(result.body)
  if (error === null || result.status >= 500) return verdict(readHttpVerdict(result))
  const { words } = error
  const meaning = graphMeaning(error)
  switch (meaning) {
    case 'closed':
    case 'token':
    case 'opted out':
      return { kind: meaning, words }
    case 'slow':
      return verdict({
        kind: 'slow',
        reason: words,
        retryAfterMs: result.retryAfterMs,
        // Too fast for this recipient only.
        ...(error.code === PAIR_LIMIT ? { aboutMessage: true } : {}),
      })
    case 'elsewhere':
      return verdict({ kind: 'unreachable', reason: words, aboutMessage: true })
    case 'again':
      return verdict({ kind: 'unclear', reason: words })
    case 'undeliverable':
      return verdict({ kind: 'refused', status: 'UNDELIVERABLE', reason: words })
    case 'rejected':
      return verdict({ kind: 'refused', status: 'REJECTED', reason: words })
  }
}

/** Too many messages from one number to one recipient. */
const PAIR_LIMIT = 131056

function readTaken(body: string): Verdict {
  const messages = parseJsonObject(body)?.['messages']
  const first: unknown = Array.isArray(messages) ? messages[0] : null
  const ref = isJsonObject(first) ? asText(first['id']) : ''
  return ref === '' || ref.length > 256 ? { kind: 'unclear', reason: 'no message id' } : { kind: 'taken', ref }
}

function verdict(said: Verdict): SubmitAnswer {
  return { kind: 'verdict', verdict: said }
}
