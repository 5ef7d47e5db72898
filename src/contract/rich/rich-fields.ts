/**
 * The field `rich` of sends: cards, carousels, files and suggestions, with the limits of Google RCS for Business, the
 * widest of all. rich-limits.ts has those that depend on the channels.
 */
import { CHATAPP_TEXT_MAX } from '../../domain/channels/chatapp.ts'
import { RCS_TEXT_MAX_WITH_IMAGE } from '../../domain/channels/rcs.ts'
import type { Rich, RichCard } from '../../domain/message/rich.ts'
import { optional } from '../fields/fields.ts'
import { ADDRESS, choice, text } from '../fields/kinds.ts'
import { listOfValues, may, must, type NamedKind, named, oneOfTypes, shape } from '../fields/shapes.ts'
import { emptyCard, needs, notTogether } from '../request/error-texts.ts'
import { ItemRefused } from '../request/refused.ts'
import { checkChoices, TITLE_MAX } from './rich-limits.ts'
import { SUGGESTION, SUGGESTION_SCHEMAS, typed } from './rich-suggestions.ts'

const NAME_MAX = 240
const ALT_MAX = 200
const CARD_SUGGESTIONS_MAX = 4
const SUGGESTIONS_MAX = 11
const CARDS_MIN = 2
const CARDS_MAX = 10

const suggestions = listOfValues(SUGGESTION, 1, SUGGESTIONS_MAX)

const CARD_MEMBERS = {
  title: may(text(TITLE_MAX), 'Title; with a chat app, title and description have together at most 1000 characters.'),
  description: may(text(RCS_TEXT_MAX_WITH_IMAGE), 'Text below the title.'),
  image: may(ADDRESS, 'Address of an image; not together with `video`.'),
  video: may(ADDRESS, 'Address of a video.'),
  thumbnail: may(ADDRESS, 'Address of a small image to show before the video is loaded; needs `video`.'),
  alt: may(text(ALT_MAX), 'What the image or video shows, to be read aloud; with RCS only.'),
  height: may(choice(['short', 'medium', 'tall']), 'Height of the image or video; `medium` by default.'),
  suggestions: may(listOfValues(SUGGESTION, 1, CARD_SUGGESTIONS_MAX), 'Suggestions in the card.'),
}

function checkCard({ title, description, image, video, thumbnail, alt }: RichCard, path: string): void {
  if ([title, description, image, video].every((each) => each === undefined)) throw new ItemRefused(emptyCard(path))
  if (image !== undefined && video !== undefined) throw new ItemRefused(notTogether(`${path}.video`, 'image'))
  if (thumbnail !== undefined && video === undefined) throw new ItemRefused(needs(`${path}.thumbnail`, 'video'))
  if (alt !== undefined && (image ?? video) === undefined) throw new ItemRefused(needs(`${path}.alt`, 'image'))
}

const BELOW_TEXT = named(
  'RichSuggestions',
  shape({ type: typed('suggestions'), suggestions: must(suggestions, 'Suggestions below the text of the step.') }),
)

const CARD = named(
  'RichCard',
  shape(
    {
      type: typed('card'),
      orientation: may(choice(['vertical', 'horizontal']), 'Image above the text, by default, or beside it.'),
      ...CARD_MEMBERS,
    },
    checkCard,
  ),
)

const CAROUSEL_CARD = named('CarouselCard', shape(CARD_MEMBERS, checkCard))

const CAROUSEL = named(
  'RichCarousel',
  shape(
    {
      type: typed('carousel'),
      width: may(choice(['small', 'medium']), 'Width of the cards; `medium` by default.'),
      cards: must(listOfValues(CAROUSEL_CARD, CARDS_MIN, CARDS_MAX), 'Cards in their order.'),
    },
    ({ width, cards }, path) => {
      const tall = cards.findIndex(({ height }) => height === 'tall')
      if (width === 'small' && tall !== -1) throw new ItemRefused(notTogether(`${path}.width`, `cards[${tall}].height`))
    },
  ),
)

const FILE = named(
  'RichFile',
  shape({
    type: typed('file'),
    url: must(ADDRESS, 'Address of an image, a video or a document.'),
    name: may(text(NAME_MAX), 'Name of a document.'),
    alt: may(text(ALT_MAX), 'What the file shows, to be read aloud; with RCS only.'),
    caption: may(text(CHATAPP_TEXT_MAX), 'Text below the file.'),
    suggestions: may(suggestions, 'Suggestions below the file.'),
  }),
)

const ANY: NamedKind<Rich> = named(
  'Rich',
  oneOfTypes({ suggestions: BELOW_TEXT, card: CARD, carousel: CAROUSEL, file: FILE }),
)

export const RICH_FIELD = optional(
  'rich',
  {
    ...ANY,
    read(raw, path, limits) {
      const rich = ANY.read(raw, path, limits)
      checkChoices(rich, path)
      return rich
    },
  },
  'Card, carousel, file or suggestions. The other fields of a step are its content where a phone or messenger cannot show them.',
)

/** Defined by name in the OpenAPI document. */
export const RICH_SCHEMAS: readonly NamedKind[] = [
  ANY,
  ...[BELOW_TEXT, CARD, CAROUSEL, CAROUSEL_CARD, FILE],
  ...SUGGESTION_SCHEMAS,
]
