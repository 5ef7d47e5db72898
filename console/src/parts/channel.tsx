/** Names of channels as users read them. Brand and protocol names are the same in all languages. */
import { type Language, usePreferences } from '../texts/language.ts'

const NAMES: Readonly<Record<string, Readonly<Record<'en' | 'de', string>>>> = {
  rcs: { en: 'RCS', de: 'RCS' },
  chatapp: { en: 'Chat app', de: 'Chat-App' },
  sms: { en: 'SMS', de: 'SMS' },
  call: { en: 'Call', de: 'Anruf' },
  lookup: { en: 'Lookup', de: 'Abfrage' },
}

/** Returns the name of a channel; what the API sends if it is unknown. */
export function channelName(channel: string, language: Language): string {
  return NAMES[channel]?.[language] ?? channel
}

export function ChannelName({ channel }: { readonly channel: string | null }) {
  const { language } = usePreferences()
  return <>{channel === null ? '–' : channelName(channel, language)}</>
}
