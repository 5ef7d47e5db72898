/**
 * Rich content: cards, carousels, files and suggestions, in terms that the messengers share. A step that has it keeps
 * its plain content too, for phones and messengers that cannot show it.
 */

interface Tappable {
  /** The caption. */
  readonly text: string
  /** The payload of the inbound message when the recipient taps it; absent for the caption. */
  readonly postback?: string
}

export type Suggestion = Tappable &
  (
    | { readonly type: 'reply' }
    | { readonly type: 'url'; readonly url: string }
    /** Digits, E.164 without the plus. */
    | { readonly type: 'dial'; readonly phone: string }
    | { readonly type: 'location'; readonly latitude: number; readonly longitude: number; readonly label?: string }
    /** Asks the recipient for their location. */
    | { readonly type: 'ask_location' }
    | {
        readonly type: 'calendar'
        readonly title: string
        readonly description?: string
        /** Milliseconds. */
        readonly start: number
        readonly end: number
      }
  )

/** Has a title, a description, an image or a video. */
export interface RichCard {
  readonly title?: string
  readonly description?: string
  /** Absolute http(s) address; not together with a video. */
  readonly image?: string
  readonly video?: string
  /** A small image to show before the video is loaded. */
  readonly thumbnail?: string
  /** What the image or video shows, to be read aloud. */
  readonly alt?: string
  readonly height?: 'short' | 'medium' | 'tall'
  readonly suggestions?: readonly Suggestion[]
}

interface StandaloneCard extends RichCard {
  readonly type: 'card'
  readonly orientation?: 'vertical' | 'horizontal'
}

interface Carousel {
  readonly type: 'carousel'
  readonly width?: 'small' | 'medium'
  readonly cards: readonly RichCard[]
}

/** Suggestions below the plain content of the step. */
interface PlainWithSuggestions {
  readonly type: 'suggestions'
  readonly suggestions: readonly Suggestion[]
}

interface RichFile {
  readonly type: 'file'
  /** Absolute http(s) address. */
  readonly url: string
  readonly name?: string
  /** What the file shows, to be read aloud. */
  readonly alt?: string
  readonly caption?: string
  readonly suggestions?: readonly Suggestion[]
}

export type Rich = StandaloneCard | Carousel | PlainWithSuggestions | RichFile

/** Returns all suggestions of the content. */
export function suggestionsOf(rich: Rich): readonly Suggestion[] {
  const holders = rich.type === 'carousel' ? rich.cards : [rich]
  return holders.flatMap(({ suggestions }) => suggestions ?? [])
}

export function postbackOf({ text, postback = text }: Tappable): string {
  return postback
}

export interface AddressChange {
  /** Changes a text that the recipient reads. */
  readonly text: (text: string) => string
  /** Changes an address that a suggestion opens. */
  readonly url: (url: string) => string
}

/**
 * Returns the content with other texts and addresses. Captions stay as they are, as do the addresses of images, videos
 * and files: the messenger loads those.
 */
export function changeAddresses(rich: Rich, change: AddressChange): Rich {
  switch (rich.type) {
    case 'carousel':
      return { ...rich, cards: rich.cards.map((card) => changeCard(card, change)) }
    case 'card':
      return changeCard(rich, change)
    case 'suggestions':
      return { ...rich, suggestions: changeSuggestions(rich.suggestions, change) }
    case 'file':
      return changeFile(rich, change)
  }
}

function changeCard<C extends RichCard>(card: C, change: AddressChange): C {
  const { title, description, suggestions } = card
  return {
    ...card,
    ...(title === undefined ? {} : { title: change.text(title) }),
    ...(description === undefined ? {} : { description: change.text(description) }),
    ...(suggestions === undefined ? {} : { suggestions: changeSuggestions(suggestions, change) }),
  }
}

function changeFile(file: RichFile, change: AddressChange): RichFile {
  const { caption, suggestions } = file
  return {
    ...file,
    ...(caption === undefined ? {} : { caption: change.text(caption) }),
    ...(suggestions === undefined ? {} : { suggestions: changeSuggestions(suggestions, change) }),
  }
}

function changeSuggestions(suggestions: readonly Suggestion[], { url }: AddressChange): readonly Suggestion[] {
  return suggestions.map((each) => (each.type === 'url' ? { ...each, url: url(each.url) } : each))
}

/** Returns the title and the description as one text; empty without both. */
export function textOfCard({ title = '', description = '' }: RichCard): string {
  return [title, description].filter((each) => each !== '').join('\n')
}
