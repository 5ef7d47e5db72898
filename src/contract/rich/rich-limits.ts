/** The limits of rich content that concern several of its values, or a channel. */
import { CHATAPP_TEXT_MAX } from '../../domain/channels/chatapp.ts'
import { RCS_TEXT_MAX_WITH_IMAGE } from '../../domain/channels/rcs.ts'
import { postbackOf, type Rich, type RichCard, type Suggestion, textOfCard } from '../../domain/message/rich.ts'
import { fitsWithin } from '../fields/kinds.ts'
import { needs, repeated, tooLong, tooManyElements, tooManyRichBytes } from '../request/error-texts.ts'
import { ItemRefused } from '../request/refused.ts'

/** Of the content as JSON: far below the limit of Google, because messages are held in memory. */
export const RICH_MAX_BYTES = 16_384

export const TITLE_MAX = 200

/** With a chat app: a button of WhatsApp, the id of a row in a list of replies, and its rows. */
const CHATAPP_CAPTION_MAX = 20
const CHATAPP_POSTBACK_MAX = 200
const CHATAPP_REPLIES_MAX = 10

/** Throws an ItemRefused if a tap would not distinguish suggestions. */
export function checkChoices(rich: Rich, path: string): void {
  const postbacks = new Set<string>()
  for (const [list, at] of listsOf(rich, path)) {
    const captions = new Set<string>()
    for (const [index, suggestion] of list.entries()) {
      if (isRepeated(captions, suggestion.text)) throw new ItemRefused(repeated(`${at}[${index}].text`))
      if (suggestion.type === 'reply' && isRepeated(postbacks, postbackOf(suggestion))) {
        throw new ItemRefused(repeated(`${at}[${index}].postback`))
      }
    }
  }
}

function isRepeated(seen: Set<string>, text: string): boolean {
  const { size } = seen
  return seen.add(text).size === size
}

/** Throws an ItemRefused if the content, as it will be sent, exceeds a limit that all messengers have. */
export function checkRich(rich: Rich, path: string): void {
  if (Buffer.byteLength(JSON.stringify(rich)) > RICH_MAX_BYTES) {
    throw new ItemRefused(tooManyRichBytes(path, RICH_MAX_BYTES))
  }
  checkTexts(rich, path)
}

/** Short links can make texts longer. */
function checkTexts(rich: Rich, path: string): void {
  for (const [{ title = '', description = '' }, at] of cardsOf(rich, path)) {
    checkLength(title, `${at}.title`, TITLE_MAX, 'short_link')
    checkLength(description, `${at}.description`, RCS_TEXT_MAX_WITH_IMAGE, 'short_link')
  }
  if (rich.type === 'file') checkLength(rich.caption ?? '', `${path}.caption`, CHATAPP_TEXT_MAX, 'short_link')
}

/** Throws an ItemRefused if a chat app cannot show the content below the text of the step. */
export function checkForChatapp(rich: Rich, path: string, textOfStep: string): void {
  if (textOfStep === '' && (rich.type === 'suggestions' || rich.type === 'carousel')) {
    throw new ItemRefused(needs(path, 'chatapp_message'))
  }
  for (const [card, at] of cardsOf(rich, path)) {
    checkLength(textOfCard(card), `${at}.description`, CHATAPP_TEXT_MAX, 'the title and chatapp')
  }
  for (const [list, at] of listsOf(rich, path)) {
    const replies = list.filter(({ type }) => type === 'reply')
    checkCount(replies, at, CHATAPP_REPLIES_MAX, 'chatapp')
    for (const [index, suggestion] of list.entries()) {
      checkLength(suggestion.text, `${at}[${index}].text`, CHATAPP_CAPTION_MAX, 'chatapp')
      checkLength(postbackOf(suggestion), `${at}[${index}].postback`, CHATAPP_POSTBACK_MAX, 'chatapp')
    }
  }
}

function checkLength(text: string, path: string, max: number, because: string): void {
  if (!fitsWithin(text, max)) throw new ItemRefused(tooLong(path, max, because))
}

export function checkCount(list: readonly Suggestion[], path: string, max: number, because: string): void {
  if (list.length > max) throw new ItemRefused(tooManyElements(path, max, because))
}

function cardsOf(rich: Rich, path: string): readonly (readonly [card: RichCard, path: string])[] {
  if (rich.type === 'carousel') return rich.cards.map((card, index) => [card, `${path}.cards[${index}]`])
  return rich.type === 'card' ? [[rich, path]] : []
}

function listsOf(rich: Rich, path: string): readonly (readonly [list: readonly Suggestion[], path: string])[] {
  if (rich.type !== 'carousel') return [[rich.suggestions ?? [], `${path}.suggestions`]]
  return rich.cards.map(({ suggestions = [] }, index) => [suggestions, `${path}.cards[${index}].suggestions`])
}
