/** Names of channels as users read them. */
import { channelNames } from '../texts/channels.ts'
import { type Language, usePreferences } from '../texts/language.ts'

const LOOKUP = { en: 'Lookup', de: 'Abfrage' }

/** Returns the name of a channel; what the API sends if it is unknown. */
export function channelName(channel: string, language: Language): string {
  const names: Readonly<Record<string, string>> = { ...channelNames(language), lookup: LOOKUP[language] }
  return names[channel] ?? channel
}

/** Returns the choices of a form. */
export function channelChoices<C extends string>(channels: readonly C[], language: Language) {
  return channels.map((value) => ({ value, label: channelName(value, language) }))
}

export function ChannelName({ channel }: { readonly channel: string | null }) {
  const { language } = usePreferences()
  return <>{channel === null ? '–' : channelName(channel, language)}</>
}
