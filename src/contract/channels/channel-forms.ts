/** The forms of all channels that carry texts. */
import { MESSAGE_CHANNELS, type MessageChannel } from '../../domain/channels/channel.ts'
import type { ChannelForm } from './channel-form.ts'
import { CHATAPP_FORM } from './chatapp-form.ts'
import { RCS_FORM } from './rcs-form.ts'
import { SMS_FORM } from './sms-form.ts'

export const CHANNEL_FORMS: Readonly<Record<MessageChannel, ChannelForm>> = {
  rcs: RCS_FORM,
  chatapp: CHATAPP_FORM,
  sms: SMS_FORM,
}

/** In the order of the channels. */
export const FORM_LIST: readonly ChannelForm[] = MESSAGE_CHANNELS.map((channel) => CHANNEL_FORMS[channel])
