/**
 * Settings with named values: each of `constants` and `secrets` stands for `{{$name}}` in the texts of the other
 * settings, so that the same settings fit every account at a provider.
 */
import { hasHiddenCharacters } from './hidden-characters.ts'
import { mapTexts } from './map-texts.ts'

/** The settings that hold the values. */
const NAMED = ['constants', 'secrets'] as const

/** Characters that values may add to the settings. */
const MAX_FILLED = 200_000
const NAME_IN_TEXT = /\{\{\$([^{}]*)\}\}/
/** The beginning of an address up to the end of its host. */
const HOST_ENDED = /^https?:\/\/[^/?#]*[/?#]/i

/** Settings whose texts callers, clients or operators see: no secret may stand there. */
const ANSWERED = /^(?:(?:receipt|inbound)\.(?:answer|challenge)|senders|provider)(?:\.|$)/

const MAX_VALUE = 4_096
export const VALUE_RULE = `text of at most ${MAX_VALUE} characters without braces, control and invisible characters`

/** Whether a constant or secret may have this value. */
export function isNamedValue(value: string): boolean {
  return value !== '' && value.length <= MAX_VALUE && !/[{}]/.test(value) && !hasHiddenCharacters(value)
}

/**
 * Returns the settings with the names in their texts replaced. After the host of an address, a value is
 * percent-encoded, or its name stays, for who asks only where requests go.
 * @throws Error that names the place of a name without a value.
 */
export function fillNamedValues(settings: unknown, afterHost: 'encoded' | 'named' = 'encoded'): unknown {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return settings
  const given = settings as Readonly<Record<string, unknown>>
  const values = readNamed(given)
  const secrets = new Set(Object.keys(Object(given['secrets'])))
  let filled = 0
  const fill = (text: string, path: string) => {
    const pieces = text.split(NAME_IN_TEXT)
    return pieces.reduce((before, piece, at) => {
      if (at % 2 === 0) return before + piece
      const value = ANSWERED.test(path) && secrets.has(piece) ? undefined : values.get(piece)
      if (value === undefined) {
        throw new Error(
          `${path}: {{$${piece.slice(0, 40)}}} is not the name of ${ANSWERED.test(path) ? 'a constant' : 'one of the constants or secrets'}`,
        )
      }
      filled += value.length
      if (filled > MAX_FILLED) throw new Error(`${path}: constants and secrets make the settings too long`)
      if (!HOST_ENDED.test(before)) return before + value
      return before + (afterHost === 'named' ? `{{$${piece}}}` : encodeURIComponent(value.toWellFormed()))
    }, '')
  }
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    isNamed(name) ? value : mapTexts(value, name, fill),
  ])
  return Object.fromEntries(entries)
}

function isNamed(name: string): boolean {
  return NAMED.some((each) => each === name)
}

/** Ignores what is no text: the schema refuses it. */
function readNamed(settings: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const entries = NAMED.flatMap((name) => Object.entries(Object(settings[name])))
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
