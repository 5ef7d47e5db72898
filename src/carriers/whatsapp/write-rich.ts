/**
 * Writes rich content for recipients who have written within 24 hours: replies as buttons or as a list, one address as
 * a button, other actions as lines of the text.
 */
import type { TextContent } from '../../domain/message/message.ts'
import { postbackOf, type Rich, type Suggestion, textOfCard } from '../../domain/message/rich.ts'
import { withLines } from '../../domain/message/rich-as-plain.ts'
import { type MediaKind, mediaKindOf, writeMedia } from './media.ts'
import { writeCarousel } from './write-carousel.ts'

const MAX_BUTTONS = 3
const MAX_BODY = 1_024
/** The caption that opens a list; the contract has none. */
const LIST_CAPTION = '☰'

/** Content of any kind but a carousel. */
interface Parts {
  readonly text: string
  readonly media: { readonly kind: MediaKind; readonly url: string; readonly name?: string | undefined } | null
  readonly suggestions: readonly Suggestion[]
}

/** Returns the content of a message; null if WhatsApp cannot show it. `plain` is that of the step. */
export function writeWhatsAppRich(rich: Rich, plain: TextContent): object | null {
  if (rich.type === 'carousel') return writeCarousel(rich.cards, plain.text)
  const parts = partsOf(rich, plain)
  const { suggestions } = parts
  const replies = suggestions.filter(({ type }) => type === 'reply')
  if (replies.length > 0) return writeReplies(parts, replies)
  const opened = suggestions.find((each) => each.type === 'url')
  if (opened !== undefined) {
    const parameters = { display_text: opened.text, url: opened.url }
    const others = { ...parts, suggestions: suggestions.filter((each) => each !== opened) }
    return writeInteractive(others, 'cta_url', { name: 'cta_url', parameters })
  }
  const asks = suggestions.length > 0 && suggestions.every(({ type }) => type === 'ask_location')
  if (asks && parts.media === null)
    return writeInteractive(parts, 'location_request_message', { name: 'send_location' })
  return writeBare(parts)
}

function partsOf(rich: Exclude<Rich, { type: 'carousel' }>, plain: TextContent): Parts {
  const { suggestions = [] } = rich
  switch (rich.type) {
    case 'card': {
      const { image, video } = rich
      if (video !== undefined) return { text: textOfCard(rich), media: { kind: 'video', url: video }, suggestions }
      return { text: textOfCard(rich), media: image === undefined ? null : { kind: 'image', url: image }, suggestions }
    }
    case 'file': {
      const { url, name, caption: text = '' } = rich
      return { text, media: { kind: mediaKindOf(url) ?? 'document', url, name }, suggestions }
    }
    case 'suggestions': {
      const { text, image, button, link } = plain
      const media = image === undefined ? null : { kind: mediaKindOf(image) ?? ('image' as const), url: image }
      const own = button === undefined || link === undefined ? [] : [{ type: 'url' as const, text: button, url: link }]
      return { text, media, suggestions: [...own, ...suggestions] }
    }
  }
}

function writeReplies(parts: Parts, replies: readonly Suggestion[]): object | null {
  const choices = replies.map((each) => ({ id: postbackOf(each), title: each.text }))
  if (choices.length <= MAX_BUTTONS) {
    return writeInteractive(parts, 'button', { buttons: choices.map((reply) => ({ type: 'reply', reply })) })
  }
  // A list has no image.
  return parts.media === null
    ? writeInteractive(parts, 'list', { button: LIST_CAPTION, sections: [{ rows: choices }] })
    : null
}

function writeInteractive({ text, media, suggestions }: Parts, type: string, action: object): object | null {
  const body = withLines(text, suggestions)
  if (body.trim() === '' || body.length > MAX_BODY) return null
  const header = media === null ? undefined : writeMedia(media.kind, media.url, undefined, media.name)
  return { type: 'interactive', interactive: { type, header, body: { text: body }, action } }
}

function writeBare({ text, media, suggestions }: Parts): object | null {
  const whole = withLines(text, suggestions)
  if (media !== null) {
    return whole.length > MAX_BODY
      ? null
      : writeMedia(media.kind, media.url, whole === '' ? undefined : whole, media.name)
  }
  return whole.length > MAX_TEXT ? null : { type: 'text', text: { body: whole, preview_url: false } }
}

const MAX_TEXT = 4_096
