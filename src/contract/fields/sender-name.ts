/** Which sender names can exist at all; whether an account may use one is the directory's answer. */
import { descriptorOf, type MessageChannel } from '../../domain/channels/channel.ts'
import { isGsmText } from '../../domain/text/gsm-alphabet.ts'
import { hasHiddenCharacters } from '../../domain/text/hidden-characters.ts'
import { fitsWithin } from './characters.ts'

/** Unicode characters of a sender name outside SMS. */
export const SENDER_MAX_CHARACTERS = 40

/** SMS: 3 to 15 digits, or 3 to 11 characters of the GSM alphabet. RCS and chat app: 1 to 40 characters. */
export function isSenderName(channel: MessageChannel, name: string): boolean {
  if (!fitsWithin(name, SENDER_MAX_CHARACTERS) || name !== name.trim() || hasHiddenCharacters(name)) return false
  if (descriptorOf(channel).sender === 'name') return name !== '' && name.isWellFormed()
  return /^\d{3,15}$/.test(name) || (name.length >= 3 && name.length <= 11 && isGsmText(name))
}
