/** The fields of an RCS message. */
import { RCS_TEXT_MAX, RCS_TEXT_MAX_WITH_IMAGE } from '../../domain/channels/rcs.ts'
import type { TextContent } from '../../domain/message/message.ts'
import { mandatory, optional, type Values } from '../fields/fields.ts'
import { ADDRESS, fitsWithin, sender, text } from '../fields/kinds.ts'
import { tooLong } from '../request/error-texts.ts'
import { ItemRefused } from '../request/refused.ts'
import { checkCount } from '../rich/rich-limits.ts'
import { channelForm, textContent } from './channel-form.ts'

/** With a button of the step itself. */
const SUGGESTIONS_MAX_WITH_BUTTON = 10

const RCS_FIELDS = [
  mandatory('rcs_signature', sender('rcs'), 'Approved RCS sender name.'),
  mandatory('rcs_message', text(RCS_TEXT_MAX), 'RCS text; with an image at most 2000 characters.', {
    shorterWith: { field: 'rcs_image', maxCharacters: RCS_TEXT_MAX_WITH_IMAGE },
  }),
  optional('rcs_image', ADDRESS, 'Address of an image.'),
  optional('rcs_link', ADDRESS, 'Address that the button opens; without rcs_button it is appended to the text.'),
  optional('rcs_button', text(25), 'Caption of the button; requires rcs_link.', { needs: 'rcs_link' }),
] as const

export const RCS_FORM = channelForm({
  channel: 'rcs',
  called: 'RCS',
  about: 'the RCS message',
  fields: RCS_FIELDS,
  timedInSpecChain: true,
  example: { rcs_signature: 'RCSTest', rcs_message: 'Your parcel arrives today.', rcs_lifetime: 3_600 },
  plainText: {},
  read: (fields) => ({ sender: fields.rcsSignature, content: contentOf(fields) }),
  maxText,
  checkRich(rich, path, { button, image }) {
    if (button !== undefined && image === undefined && rich.type === 'suggestions') {
      checkCount(rich.suggestions, `${path}.suggestions`, SUGGESTIONS_MAX_WITH_BUTTON, 'rcs_button')
    }
  },
})

function maxText({ image }: Pick<TextContent, 'image'>): number {
  return image === undefined ? RCS_TEXT_MAX : RCS_TEXT_MAX_WITH_IMAGE
}

/**
 * RCS opens addresses by buttons only: a link without a button is appended to the text, unless the text contains it.
 */
function contentOf({ rcsMessage, rcsImage, rcsLink, rcsButton }: Values<typeof RCS_FIELDS>): TextContent {
  const plain = { text: rcsMessage, image: rcsImage, link: rcsLink, button: rcsButton }
  if (rcsLink === undefined || rcsButton !== undefined) return textContent(plain)
  const content = textContent({
    ...plain,
    text: rcsMessage.includes(rcsLink) ? rcsMessage : `${rcsMessage}\n${rcsLink}`,
    link: undefined,
  })
  const most = maxText(content)
  if (!fitsWithin(content.text, most)) throw new ItemRefused(tooLong('rcs_message', most, 'rcs_link'))
  return content
}
