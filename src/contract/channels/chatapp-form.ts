/** The fields of a chat-app message. */
import { CHATAPP_TEXT_MAX } from '../../domain/channels/chatapp.ts'
import { mandatory, optional } from '../fields/fields.ts'
import { ADDRESS, choice, sender, text } from '../fields/kinds.ts'
import { checkForChatapp } from '../rich/rich-limits.ts'
import { channelForm, textContent } from './channel-form.ts'

const TYPES = ['text', 'image', 'text+image', 'text+link', 'text+image+link'] as const

const part = (name: 'text' | 'image' | 'link') => ({ partOf: { field: 'chatapp_type', part: name, types: TYPES } })

export const CHATAPP_FIELDS = [
  mandatory('chatapp_type', choice(TYPES), 'Composition of the message; the parts it names are required.'),
  mandatory('chatapp_signature', sender('chatapp'), 'Approved sender name of the chat app.'),
  optional('chatapp_message', text(CHATAPP_TEXT_MAX), 'Chat-app text.', part('text')),
  optional('chatapp_image', ADDRESS, 'Address of an image.', part('image')),
  optional('chatapp_link', ADDRESS, 'Address that the button opens.', part('link')),
  optional('chatapp_button', text(30), 'Caption of the button.', part('link')),
] as const

export const CHATAPP_FORM = channelForm({
  channel: 'chatapp',
  called: 'the chat app',
  about: 'the chat-app message',
  fields: CHATAPP_FIELDS,
  timedInSpecChain: false,
  example: { chatapp_type: 'text', chatapp_signature: 'ChatTest', chatapp_message: 'Your parcel arrives today.' },
  plainText: { chatapp_type: 'text' },
  read({ chatappType: type, chatappSignature, chatappMessage, chatappImage, chatappLink, chatappButton }) {
    const content = textContent({
      text: type.includes('text') ? (chatappMessage ?? '') : '',
      image: type.includes('image') ? chatappImage : undefined,
      link: type.includes('link') ? chatappLink : undefined,
      button: type.includes('link') ? chatappButton : undefined,
    })
    return { sender: chatappSignature, content }
  },
  maxText: () => CHATAPP_TEXT_MAX,
  checkRich: (rich, path, { text: textOfStep }) => checkForChatapp(rich, path, textOfStep),
})
