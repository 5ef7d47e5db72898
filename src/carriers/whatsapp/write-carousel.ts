/**
 * Writes a carousel of WhatsApp: every card has an image, or every card a video, and all have the same buttons: one
 * that opens an address, or equally many replies.
 */
import { postbackOf, type RichCard, textOfCard } from '../../domain/message/rich.ts'
import { type MediaKind, writeMedia } from './media.ts'

const MAX_CARD_TEXT = 160
const MAX_LINE_BREAKS = 2
const MAX_REPLIES = 3
const MAX_BODY = 1_024

/** Returns the content of a message; null if WhatsApp cannot show it. `text` is shown above the cards. */
export function writeCarousel(cards: readonly RichCard[], text: string): object | null {
  const written = cards.map(writeCard)
  const looks = new Set(written.map((card) => card?.look))
  if (written.includes(null) || looks.size !== 1 || text.trim() === '' || text.length > MAX_BODY) return null
  const action = { cards: written.map((card, index) => ({ card_index: index, ...card?.content })) }
  return { type: 'interactive', interactive: { type: 'carousel', body: { text }, action } }
}

interface WrittenCard {
  /** The same in all cards of a carousel. */
  readonly look: string
  readonly content: object
}

function writeCard(card: RichCard): WrittenCard | null {
  const { image, video } = card
  const url = image ?? video
  const buttons = writeButtons(card)
  const text = textOfCard(card)
  if (url === undefined || buttons === null) return null
  if (text.length > MAX_CARD_TEXT || text.split('\n').length > MAX_LINE_BREAKS + 1) return null
  const kind: MediaKind = image === undefined ? 'video' : 'image'
  const body = text === '' ? undefined : { text }
  const { look, ...action } = buttons
  return { look: `${kind} ${look}`, content: { header: writeMedia(kind, url), body, ...action } }
}

function writeButtons({ suggestions = [] }: RichCard) {
  const [first] = suggestions
  if (first?.type === 'url' && suggestions.length === 1) {
    const parameters = { display_text: first.text, url: first.url }
    return { look: 'address', type: 'cta_url', action: { name: 'cta_url', parameters } }
  }
  const isChoice = suggestions.length > 0 && suggestions.length <= MAX_REPLIES
  if (!isChoice || suggestions.some(({ type }) => type !== 'reply')) return null
  const buttons = suggestions.map((each) => {
    return { type: 'quick_reply', quick_reply: { id: postbackOf(each), title: each.text } }
  })
  return { look: `${buttons.length} replies`, action: { buttons } }
}
