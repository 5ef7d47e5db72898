/** The user's language, theme and time zone, kept in this browser. */
import { useSyncExternalStore } from 'react'
import { browserZone, isZone } from './zone.ts'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]
export type Theme = 'system' | 'light' | 'dark'

export interface Preferences {
  readonly language: Language
  readonly theme: Theme
  /** Of the IANA database; empty for that of the browser. */
  readonly zone: string
}

repairBrowserLanguage()

const KEY = 'posthorn.preferences'
const listeners = new Set<() => void>()
let current: Preferences = { ...defaults(), ...stored() }
apply(current)

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // A browser without storage keeps them until the page is closed.
  }
  apply(current)
  for (const listener of listeners) listener()
}

/** Returns the time zone in which times and days are shown. */
export function useZone(): string {
  usePreferences()
  return currentZone()
}

/** Returns the time zone for code outside React. */
export function currentZone(): string {
  return current.zone === '' ? browserZone() : current.zone
}

/** Returns the language for code outside React. */
export function currentLanguage(): Language {
  return current.language
}

/**
 * Some systems report a language that no Intl formatter takes, such as `en-US@posix`. uPlot passes it to one when it is
 * loaded, and would fail.
 */
function repairBrowserLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    const [language = ''] = navigator.language.match(/^[a-z]{2,3}(?=[-_@.]|$)/i) ?? ['en']
    Object.defineProperty(navigator, 'language', { configurable: true, value: language })
  }
}

function defaults(): Preferences {
  return { language: navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en', theme: 'system', zone: '' }
}

function stored(): Partial<Preferences> {
  try {
    const { language, theme, zone } = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return {
      ...(['en', 'de'].includes(language) ? { language } : {}),
      ...(['system', 'light', 'dark'].includes(theme) ? { theme } : {}),
      ...(isZone(zone) ? { zone } : {}),
    }
  } catch {
    return {}
  }
}

function apply({ language, theme }: Preferences): void {
  document.documentElement.lang = language
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
