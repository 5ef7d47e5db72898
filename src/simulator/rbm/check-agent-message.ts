/**
 * Checks whether Google would accept the body of an agent message: the limits of its reference, as far as the gateway
 * uses it.
 */
import { isJsonObject, type JsonObject, parseJsonObject } from '../../wire/json.ts'
import type { PhoneArrival, ShownCard } from '../phones/traffic.ts'
import { type CheckedSuggestions, checkSuggestions, isAddress, isText } from './check-suggestions.ts'

/** What the recipient sees, and `ttlSeconds` until it is revoked; null for no limit. */
export type AgentMessage = Shown & { readonly ttlSeconds: number | null }

type Shown = Pick<PhoneArrival, 'text' | 'image' | 'button' | 'link' | 'suggestions' | 'cards'>

const MAX_TTL_SECONDS = 15 * 86_400
/** Of the whole request. */
const MAX_BYTES = 250 * 1024
const CONTENTS = ['text', 'richCard', 'contentInfo'] as const

/** Returns the message, or what is wrong with it. */
export function checkAgentMessage(body: string): AgentMessage | string {
  if (Buffer.byteLength(body) > MAX_BYTES) return 'the message is larger than 250 KB'
  const root = parseJsonObject(body)
  if (root === null) return 'the body is not a JSON object'
  const { contentMessage: message, ttl } = root
  const ttlSeconds = typeof ttl === 'string' && /^\d{1,9}(\.\d{1,9})?s$/.test(ttl) ? Number.parseFloat(ttl) : null
  if (ttl !== undefined && (ttlSeconds === null || ttlSeconds > MAX_TTL_SECONDS)) return 'ttl is not a valid duration'
  if (!isJsonObject(message)) return 'contentMessage is missing'
  const kinds = CONTENTS.filter((kind) => message[kind] !== undefined)
  if (kinds.length !== 1) return 'one kind of content is wanted'
  const below = checkSuggestions(message['suggestions'], 11)
  if (typeof below === 'string') return below
  const checked = checkContent(message)
  return typeof checked === 'string' ? checked : { ...withSuggestions(checked, below), ttlSeconds }
}

interface Content extends Pick<Shown, 'text' | 'image' | 'cards'> {
  /** Those in a card. */
  readonly inside?: CheckedSuggestions
}

function checkContent({ text, richCard, contentInfo }: JsonObject): Content | string {
  if (text !== undefined) return isText(text, 1, 3_072) ? { text } : 'text should have 1 to 3072 characters'
  if (contentInfo !== undefined) {
    const file = isJsonObject(contentInfo) ? contentInfo['fileUrl'] : null
    if (isJsonObject(contentInfo) && !isDescription(contentInfo['contentDescription'])) return WRONG_DESCRIPTION
    return isAddress(file) ? { text: '', image: file } : 'contentInfo has no valid fileUrl'
  }
  if (!isJsonObject(richCard)) return 'richCard is not an object'
  const { standaloneCard, carouselCard } = richCard
  if ((standaloneCard === undefined) === (carouselCard === undefined)) return 'one kind of card is wanted'
  return standaloneCard === undefined ? checkCarousel(carouselCard) : checkStandalone(standaloneCard)
}

/** A button that is alone is shown as such. */
function withSuggestions({ inside, ...content }: Content, below: CheckedSuggestions): Shown {
  const suggestions = [...(inside?.suggestions ?? []), ...below.suggestions]
  if (suggestions.length === 0) return content
  const only = suggestions.length === 1 ? (inside?.only ?? below.only) : null
  return only === null ? { ...content, suggestions } : { ...content, ...only }
}

function checkStandalone(card: unknown): Content | string {
  const content = isJsonObject(card) ? card['cardContent'] : null
  if (!isJsonObject(card) || !isJsonObject(content)) return 'standaloneCard.cardContent is missing'
  const { cardOrientation: orientation, thumbnailImageAlignment: alignment } = card
  if (orientation !== 'VERTICAL' && orientation !== 'HORIZONTAL') return 'cardOrientation is wrong'
  if (orientation === 'HORIZONTAL' && alignment !== 'LEFT' && alignment !== 'RIGHT') {
    return 'thumbnailImageAlignment is wrong'
  }
  const checked = checkCard(content)
  if (typeof checked === 'string') return checked
  const { text, media, inside } = checked
  return { text, ...(media === undefined ? {} : { image: media }), inside }
}

function checkCarousel(carousel: unknown): Content | string {
  const { cardWidth, cardContents } = isJsonObject(carousel) ? carousel : {}
  if (cardWidth !== 'SMALL' && cardWidth !== 'MEDIUM') return 'cardWidth is wrong'
  if (!Array.isArray(cardContents) || cardContents.length < 2 || cardContents.length > 10) {
    return 'a carousel should have 2 to 10 cards'
  }
  const cards: ShownCard[] = []
  for (const content of cardContents) {
    if (!isJsonObject(content)) return 'a card is not an object'
    const checked = checkCard(content)
    if (typeof checked === 'string') return checked
    if (cardWidth === 'SMALL' && checked.height === 'TALL') return 'a small card is not tall'
    const { text, media, inside } = checked
    cards.push({ text, media, suggestions: inside.suggestions })
  }
  return { text: '', cards }
}

interface CheckedCard {
  readonly text: string
  readonly media?: string
  readonly height: unknown
  readonly inside: CheckedSuggestions
}

const HEIGHTS: readonly unknown[] = ['SHORT', 'MEDIUM', 'TALL']

function checkCard({ title = '', description = '', media, suggestions }: JsonObject): CheckedCard | string {
  if (!isText(title, 0, 200)) return 'title should have at most 200 characters'
  if (!isText(description, 0, 2_000)) return 'description should have at most 2000 characters'
  const { contentInfo: info, height } = isJsonObject(media) ? media : {}
  const { fileUrl: file, thumbnailUrl: thumbnail, contentDescription: alt } = isJsonObject(info) ? info : {}
  if (media !== undefined && !isAddress(file)) return 'media has no valid fileUrl'
  if (media !== undefined && !HEIGHTS.includes(height)) return 'height is wrong'
  if (thumbnail !== undefined && !isAddress(thumbnail)) return 'thumbnailUrl is not an address'
  if (!isDescription(alt)) return WRONG_DESCRIPTION
  if (media === undefined && title === '' && description === '') return 'the card is empty'
  const inside = checkSuggestions(suggestions, 4)
  if (typeof inside === 'string') return inside
  const text = [title, description].filter((each) => each !== '').join('\n')
  return { text, ...(isAddress(file) ? { media: file } : {}), height, inside }
}

const WRONG_DESCRIPTION = 'contentDescription is wrong'

function isDescription(text: unknown): boolean {
  return text === undefined || isText(text, 1, 200)
}

/** What a device must support for each kind of card and action. */
export const FEATURES: Readonly<Record<string, string>> = {
  standaloneCard: 'RICHCARD_STANDALONE',
  carouselCard: 'RICHCARD_CAROUSEL',
  openUrlAction: 'ACTION_OPEN_URL',
  dialAction: 'ACTION_DIAL',
  viewLocationAction: 'ACTION_VIEW_LOCATION',
  shareLocationAction: 'ACTION_SHARE_LOCATION',
  createCalendarEventAction: 'ACTION_CREATE_CALENDAR_EVENT',
}

/** Returns what a device must support to show the message with this body. */
export function featuresIn(body: string): ReadonlySet<string> {
  return new Set(Object.keys(FEATURES).flatMap((kind) => (body.includes(`"${kind}":`) ? (FEATURES[kind] ?? []) : [])))
}
