/** The rich content of a composed message, as docs/guides/rich-messages.md has it. */
import type { Draft, JsonObject } from './draft.ts'

export type RichContents = 'suggestions' | 'card' | 'carousel' | 'file'

export interface CardDraft {
  readonly title: string
  readonly text: string
  readonly image: string
  readonly link: string
  readonly button: string
}

export const EMPTY_CARD: CardDraft = { title: '', text: '', image: '', link: '', button: '' }
/** Of a carousel. */
export const MIN_CARDS = 2
export const MAX_CARDS = 10

/** Returns null for contents that are fields of the steps. */
export function richOf(draft: Draft): JsonObject | null {
  const { contents, title, text, image, link, button, cards, file, fileName, caption } = draft
  const replies = linesOf(draft.replies).map((reply) => ({ type: 'reply', text: reply, postback: reply }))
  const suggestions = [...replies, ...openingOf(link, button)]
  switch (contents) {
    case 'suggestions':
      return given({ type: 'suggestions', suggestions })
    case 'card':
      return given({ type: 'card', title: title.trim(), description: text, image: image.trim(), suggestions })
    case 'carousel':
      return { type: 'carousel', cards: cards.map(cardOf) }
    case 'file':
      return given({ type: 'file', url: file.trim(), name: fileName.trim(), caption: caption.trim() })
    default:
      return null
  }
}

export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}

function cardOf({ title, text, image, link, button }: CardDraft): JsonObject {
  const suggestions = openingOf(link, button)
  return given({ title: title.trim(), description: text.trim(), image: image.trim(), suggestions })
}

/** The button that opens an address; its caption is the address without one. */
function openingOf(link: string, button: string): readonly JsonObject[] {
  const url = link.trim()
  return url === '' ? [] : [{ type: 'url', text: button.trim() || url, url }]
}

function given(fields: JsonObject): JsonObject {
  const set = Object.entries(fields).filter(
    ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(set)
}
