/** Writes rich content as Google's `AgentContentMessage`, and says what a device must support to show it. */
import { postbackOf, type Rich, type RichCard, type Suggestion, suggestionsOf } from '../../domain/message/rich.ts'

/** Returns the content of a message. `plain` is that of a message without suggestions of its own. */
export function writeRbmRich(rich: Rich, plain: AgentContent): AgentContent {
  switch (rich.type) {
    case 'suggestions':
      return { ...plain, suggestions: [...(plain.suggestions ?? []), ...rich.suggestions.map(writeSuggestion)] }
    case 'card':
      return { richCard: { standaloneCard: writeStandalone(rich) } }
    case 'carousel': {
      const cardWidth = rich.width === 'small' ? 'SMALL' : 'MEDIUM'
      return { richCard: { carouselCard: { cardWidth, cardContents: rich.cards.map(writeCard) } } }
    }
    case 'file':
      return {
        contentInfo: { fileUrl: rich.url, contentDescription: rich.alt },
        suggestions: rich.suggestions?.map(writeSuggestion),
      }
  }
}

/** One kind of content, with suggestions below it. */
export interface AgentContent {
  readonly text?: string
  readonly richCard?: object
  readonly contentInfo?: object
  readonly suggestions?: readonly object[] | undefined
}

/** Returns Google's names of what a device must support. A file needs nothing that some device with RCS lacks. */
export function featuresOf(rich: Rich): ReadonlySet<string> {
  const actions = suggestionsOf(rich).flatMap(({ type }) => ACTION_FEATURES[type] ?? [])
  const cards = { card: ['RICHCARD_STANDALONE'], carousel: ['RICHCARD_CAROUSEL'], suggestions: [], file: [] }
  return new Set([...cards[rich.type], ...actions])
}

const ACTION_FEATURES: Readonly<Record<Suggestion['type'], string | null>> = {
  reply: null,
  url: 'ACTION_OPEN_URL',
  dial: 'ACTION_DIAL',
  location: 'ACTION_VIEW_LOCATION',
  ask_location: 'ACTION_SHARE_LOCATION',
  calendar: 'ACTION_CREATE_CALENDAR_EVENT',
}

/** Every feature that some rich content needs. */
export const RICH_FEATURES: readonly string[] = [
  ...['RICHCARD_STANDALONE', 'RICHCARD_CAROUSEL'],
  ...Object.values(ACTION_FEATURES).filter((each) => each !== null),
]

function writeStandalone(card: Extract<Rich, { type: 'card' }>): object {
  const cardContent = writeCard(card)
  if (card.orientation !== 'horizontal') return { cardOrientation: 'VERTICAL', cardContent }
  return { cardOrientation: 'HORIZONTAL', thumbnailImageAlignment: 'LEFT', cardContent }
}

function writeCard(card: RichCard): object {
  const { title, description, image, video, thumbnail, alt, height = 'medium', suggestions } = card
  const fileUrl = image ?? video
  const media =
    fileUrl === undefined
      ? undefined
      : { height: height.toUpperCase(), contentInfo: { fileUrl, thumbnailUrl: thumbnail, contentDescription: alt } }
  return { title, description, media, suggestions: suggestions?.map(writeSuggestion) }
}

function writeSuggestion(suggestion: Suggestion): object {
  const tappable = { text: suggestion.text, postbackData: postbackOf(suggestion) }
  switch (suggestion.type) {
    case 'reply':
      return { reply: tappable }
    case 'url':
      return { action: { ...tappable, openUrlAction: { url: suggestion.url } } }
    case 'dial':
      return { action: { ...tappable, dialAction: { phoneNumber: `+${suggestion.phone}` } } }
    case 'location': {
      const { latitude, longitude, label } = suggestion
      return { action: { ...tappable, viewLocationAction: { latLong: { latitude, longitude }, label } } }
    }
    case 'ask_location':
      return { action: { ...tappable, shareLocationAction: {} } }
    case 'calendar': {
      const { title, description, start, end } = suggestion
      const times = { startTime: new Date(start).toISOString(), endTime: new Date(end).toISOString() }
      return { action: { ...tappable, createCalendarEventAction: { ...times, title, description } } }
    }
  }
}
