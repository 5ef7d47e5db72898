/** Shows rich content as Viber's texts, images and buttons. */
import type { TextContent } from '../../domain/message/message.ts'
import { type Rich, suggestionsOf } from '../../domain/message/rich.ts'
import { asPlain } from '../../domain/message/rich-as-plain.ts'

const MAX_TEXT = 1_000
const MAX_CAPTION = 30

/**
 * Viber shows a text with an image only with a button: without one, the address of the image ends the text, in the same
 * message. Returns null if that is too long.
 */
export function fitImage(content: TextContent): TextContent | null {
  const { text, image, button, ...rest } = content
  if (image === undefined || text === '' || button !== undefined) return content
  const whole = `${text}\n${image}`
  return whole.length > MAX_TEXT ? null : { ...rest, text: whole }
}

/** Returns the content as Viber can show it; null if it cannot show all of the rich content. */
export function fitRich(content: TextContent): TextContent | null {
  const { rich } = content
  if (rich === undefined) return content
  const said = isShown(rich) ? asPlain(content, rich) : null
  return said !== null && isWhole(said) ? said : null
}

/** Messages of businesses cannot be answered by a tap, and their videos have a format that is not public. */
function isShown(rich: Rich): boolean {
  if (rich.type === 'card' && rich.video !== undefined) return false
  return suggestionsOf(rich).every(({ type }) => type !== 'reply' && type !== 'ask_location')
}

/** An image stands alone, or with a text and a button. */
function isWhole({ text, image, button = '' }: TextContent): boolean {
  if (text.length > MAX_TEXT || button.length > MAX_CAPTION) return false
  return image === undefined ? text !== '' : (text === '') === (button === '')
}
