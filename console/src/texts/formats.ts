/** Numbers, money and times in the user's language and time zone. */
import { useMemo } from 'react'
import { usePreferences, useZone } from './language.ts'
import { type Formats, makeFormats } from './make-formats.ts'

export function useFormats(): Formats {
  const { language } = usePreferences()
  const zone = useZone()
  return useMemo(() => makeFormats(language, zone), [language, zone])
}
