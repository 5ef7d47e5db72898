/** Texts about messages in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { MESSAGES_DE } from './texts-de.ts'
import { MESSAGES_EN } from './texts-en.ts'

const TEXTS = { en: MESSAGES_EN, de: MESSAGES_DE }

export type MessageTexts = typeof MESSAGES_EN

export function useMessageTexts(): MessageTexts {
  return useTexts<MessageTexts>(TEXTS)
}

/** Returns the name of a channel; unknown ones as the API names them. */
export function channelName({ channels }: Pick<MessageTexts, 'channels'>, channel: string): string {
  return channels[channel] ?? channel
}
