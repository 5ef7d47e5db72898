/** Suggestions of rich content: captions that the recipient taps, with the limits of Google RCS for Business. */
import type { Suggestion } from '../../domain/message/rich.ts'
import { type Phone, readPhone } from '../../domain/numbers/phone.ts'
import { ADDRESS, choice, type Kind, TIME, text } from '../fields/kinds.ts'
import { type Member, may, must, type NamedKind, named, oneOfTypes, shape } from '../fields/shapes.ts'
import {
  endsTooEarly,
  hasControl,
  hasOuterSpace,
  notADegree,
  notAnEventTime,
  notAPhone,
} from '../request/error-texts.ts'
import { ItemRefused } from '../request/refused.ts'

const CAPTION_MAX = 25
const POSTBACK_MAX = 2_048
const LABEL_MAX = 100
const EVENT_TITLE_MAX = 100
const EVENT_DESCRIPTION_MAX = 500

const PHONE_MAX_CHARACTERS = 32

const DIAL: Kind<Phone> = {
  read(raw, path, { nationalCountry }) {
    const isReadable = typeof raw === 'number' || (typeof raw === 'string' && raw.length <= PHONE_MAX_CHARACTERS)
    const phone = isReadable ? readPhone(String(raw), nationalCountry) : null
    if (phone === null) throw new ItemRefused(notAPhone(path))
    return phone
  },
  schema: () => ({
    anyOf: [
      { type: 'integer', minimum: 1_000_000, maximum: 999_999_999_999_999 },
      { type: 'string', minLength: 1, maxLength: PHONE_MAX_CHARACTERS },
    ],
  }),
}

function degrees(max: number): Kind<number> {
  return {
    read(raw, path) {
      if (typeof raw !== 'number' || !(Math.abs(raw) <= max)) throw new ItemRefused(notADegree(path, max))
      return raw
    },
    schema: () => ({ type: 'number', minimum: -max, maximum: max }),
  }
}

/** WhatsApp refuses a space around both. Captions are lines of the text where a messenger has no suggestions. */
function unspaced(kind: Kind<string>, controls: RegExp): Kind<string> {
  return {
    ...kind,
    read(raw, path, limits) {
      const read = kind.read(raw, path, limits)
      if (read.trim() !== read) throw new ItemRefused(hasOuterSpace(path))
      if (controls.test(read)) throw new ItemRefused(hasControl(path))
      return read
    },
  }
}

/** The line separators of Unicode are no control characters. */
const IN_CAPTION = /[\p{Cc}\u2028\u2029]/u
const IN_POSTBACK = /\p{Cc}/u

/** Within the years that RFC 3339 can write, in UTC: an offset can leave those of the written time. */
const FIRST_EVENT_AT = 0
const LAST_EVENT_AT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const EVENT_TIME: Kind<number> = {
  ...TIME,
  read(raw, path, limits) {
    const at = TIME.read(raw, path, limits)
    if (at < FIRST_EVENT_AT || at > LAST_EVENT_AT) throw new ItemRefused(notAnEventTime(path))
    return at
  },
}

/** The member that distinguishes objects. */
export function typed<T extends string>(name: T): Member<T, true> {
  return must({ ...choice([name]), schema: () => ({ const: name }) }, 'Kind of the object.')
}

const tappable = {
  text: must(
    unspaced(text(CAPTION_MAX), IN_CAPTION),
    'Caption, one line, different in each suggestion of a list; with a chat app at most 20 characters.',
  ),
  postback: may(
    unspaced(text(POSTBACK_MAX), IN_POSTBACK),
    '`payload` of the inbound message when the recipient taps it, by default the caption; with a chat app at most 200 characters.',
  ),
}

const REPLY = named('ReplySuggestion', shape({ type: typed('reply'), ...tappable }))

const URL_OPENED = named(
  'UrlSuggestion',
  shape({ type: typed('url'), ...tappable, url: must(ADDRESS, 'Address to open.') }),
)

const DIALLED = named(
  'DialSuggestion',
  shape({ type: typed('dial'), ...tappable, phone: must(DIAL, 'Phone number to call, with country code.') }),
)

const LOCATION = named(
  'LocationSuggestion',
  shape({
    type: typed('location'),
    ...tappable,
    latitude: must(degrees(90), 'Degrees north.'),
    longitude: must(degrees(180), 'Degrees east.'),
    label: may(text(LABEL_MAX), 'Name of the place on the map.'),
  }),
)

const ASK_LOCATION = named('AskLocationSuggestion', shape({ type: typed('ask_location'), ...tappable }))

const CALENDAR = named(
  'CalendarSuggestion',
  shape(
    {
      type: typed('calendar'),
      ...tappable,
      title: must(text(EVENT_TITLE_MAX), 'Title of the event.'),
      description: may(text(EVENT_DESCRIPTION_MAX), 'Description of the event.'),
      start: must(EVENT_TIME, 'Begin of the event.'),
      end: must(EVENT_TIME, 'End of the event, later than its begin.'),
    },
    ({ start, end }, path) => {
      if (end <= start) throw new ItemRefused(endsTooEarly(`${path}.end`))
    },
  ),
)

export const SUGGESTION: NamedKind<Suggestion> = named(
  'Suggestion',
  oneOfTypes({
    reply: REPLY,
    url: URL_OPENED,
    dial: DIALLED,
    location: LOCATION,
    ask_location: ASK_LOCATION,
    calendar: CALENDAR,
  }),
)

/** Defined by name in the OpenAPI document. */
export const SUGGESTION_SCHEMAS: readonly NamedKind[] = [
  SUGGESTION,
  ...[REPLY, URL_OPENED, DIALLED, LOCATION, ASK_LOCATION, CALENDAR],
]
