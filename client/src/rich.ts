/** Rich content of a send: a card, a carousel, a file or suggestions, by its `type`. */

interface Tappable {
  /** The caption, at most 25 characters, with a chat app 20. */
  readonly text: string
  /** The payload of the inbound message when the recipient taps it; by default the caption. */
  readonly postback?: string | undefined
}

/** The recipient answers with the caption. */
export interface ReplySuggestion extends Tappable {
  readonly type: 'reply'
}

export interface UrlSuggestion extends Tappable {
  readonly type: 'url'
  /** The http(s) address that it opens. */
  readonly url: string
}

export interface DialSuggestion extends Tappable {
  readonly type: 'dial'
  /** The number that it calls, with country code. */
  readonly phone: number | string
}

/** Shows a place on the map. */
export interface LocationSuggestion extends Tappable {
  readonly type: 'location'
  /** Degrees north. */
  readonly latitude: number
  /** Degrees east. */
  readonly longitude: number
  /** At most 100 characters. */
  readonly label?: string | undefined
}

/** Asks the recipient where they are. */
export interface AskLocationSuggestion extends Tappable {
  readonly type: 'ask_location'
}

/** Adds an event to the recipient's calendar. */
export interface CalendarSuggestion extends Tappable {
  readonly type: 'calendar'
  /** At most 100 characters. */
  readonly title: string
  /** At most 500 characters. */
  readonly description?: string | undefined
  /** A Date, or a time with its offset as in RFC 3339. */
  readonly start: Date | string
  readonly end: Date | string
}

export type Suggestion =
  | ReplySuggestion
  | UrlSuggestion
  | DialSuggestion
  | LocationSuggestion
  | AskLocationSuggestion
  | CalendarSuggestion

/** Has a title, a description, an image or a video. */
export interface CarouselCard {
  /** At most 200 characters. */
  readonly title?: string | undefined
  /** At most 2000 characters; with a chat app at most 1000 together with the title. */
  readonly description?: string | undefined
  /** Not together with a video. */
  readonly image?: string | undefined
  readonly video?: string | undefined
  /** A small image to show before the video is loaded. */
  readonly thumbnail?: string | undefined
  /** What the image or video shows, to be read aloud. At most 200 characters; with RCS only. */
  readonly alt?: string | undefined
  /** Of the image or video; `medium` by default. */
  readonly height?: 'short' | 'medium' | 'tall' | undefined
  /** At most 4. */
  readonly suggestions?: readonly Suggestion[] | undefined
}

export interface RichCard extends CarouselCard {
  readonly type: 'card'
  /** `vertical` by default: the image is above the text. */
  readonly orientation?: 'vertical' | 'horizontal' | undefined
}

export interface RichCarousel {
  readonly type: 'carousel'
  /** Of the cards; `medium` by default. */
  readonly width?: 'small' | 'medium' | undefined
  /** 2 to 10. */
  readonly cards: readonly CarouselCard[]
}

/** Suggestions below the text of the step. */
export interface RichSuggestions {
  readonly type: 'suggestions'
  /** At most 11; with a chat app at most 10 replies. */
  readonly suggestions: readonly Suggestion[]
}

export interface RichFile {
  readonly type: 'file'
  /** The http(s) address of an image, a video or a document. */
  readonly url: string
  /** The name of a document. */
  readonly name?: string | undefined
  /** What the file shows, to be read aloud. At most 200 characters; with RCS only. */
  readonly alt?: string | undefined
  /** At most 1000 characters. */
  readonly caption?: string | undefined
  /** At most 11; with a chat app at most 10 replies. */
  readonly suggestions?: readonly Suggestion[] | undefined
}

export type Rich = RichSuggestions | RichCard | RichCarousel | RichFile

/** What phones and messengers that cannot show it get instead is in the other fields of the step. */
export interface RichFields {
  readonly rich?: Rich | undefined
}
