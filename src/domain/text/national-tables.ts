/**
 * National language tables of the GSM alphabet (3GPP TS 23.038, annex A): a locking table replaces the basic one, a
 * single shift table the extension table. A header in front of the text names them.
 */
import { BASIC, EXTENSION, encodeGsm, septetsOf } from './gsm-alphabet.ts'

/** Number of the language in the header. */
export const NATIONAL_LANGUAGES = { turkish: 1, spanish: 2, portuguese: 3 } as const

export type NationalLanguage = keyof typeof NATIONAL_LANGUAGES

type Table = ReadonlyMap<number, string>

/** The letters at consecutive codes from each given code on, beside the extension table. */
function shifted(letters: Readonly<Record<number, string>>): Table {
  const added = Object.entries(letters).flatMap(([code, text]) =>
    [...text].map((letter, index) => [Number(code) + index, letter] as const),
  )
  return new Map([...EXTENSION, ...added])
}

const SINGLE: Readonly<Record<number, Table>> = {
  1: shifted({ 71: 'Ğ', 73: 'İ', 83: 'Ş', 99: 'ç', 103: 'ğ', 105: 'ı', 115: 'ş' }),
  2: shifted({ 9: 'ç', 65: 'Á', 73: 'Í', 79: 'Ó', 85: 'Ú', 97: 'á', 105: 'í', 111: 'ó', 117: 'ú' }),
  3: shifted({
    5: 'ê',
    9: 'ç',
    11: 'Ôô',
    14: 'Áá',
    18: 'ΦΓ',
    21: 'ΩΠΨΣΘ',
    31: 'Ê',
    65: 'À',
    73: 'Í',
    79: 'Ó',
    85: 'Ú',
    91: 'ÃÕ',
    97: 'Â',
    105: 'í',
    111: 'ó',
    117: 'ú',
    123: 'ãõ',
    127: 'â',
  }),
}

/** Spanish has no locking table. */
const LOCKING: Readonly<Record<number, string>> = {
  1:
    '@£$¥€éùıòÇ\nĞğ\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bŞşßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    'İABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§çabcdefghijklmnopqrstuvwxyzäöñüà',
  3:
    '@£$¥êéúíóç\nÔô\rÁáΔ_ªÇÀ∞^\\€Ó|\u001bÂâÊÉ !"#º%&\'()*+,-./0123456789:;<=>?' +
    'ÍABCDEFGHIJKLMNOPQRSTUVWXYZÃÕÚÜ§~abcdefghijklmnopqrstuvwxyzãõ`üà',
}

/** Numbers of languages; 0, or one without tables here, for the tables of all languages. */
export interface Shifts {
  readonly locking: number
  readonly single: number
}

export const NO_SHIFTS: Shifts = { locking: 0, single: 0 }

/** Whether there are tables here for the languages that a header names. */
export function hasTables({ locking, single }: Shifts): boolean {
  return (locking === 0 || locking in LOCKING) && (single === 0 || single in SINGLE)
}

export function basicTableOf({ locking }: Shifts): string {
  return LOCKING[locking] ?? BASIC
}

export function extensionTableOf({ single }: Shifts): Table {
  return SINGLE[single] ?? EXTENSION
}

const CODES = new Map<NationalLanguage, ReadonlyMap<string, number>>()

/** Letters of the single shift table that the GSM alphabet lacks, with their codes. */
function codesOf(language: NationalLanguage): ReadonlyMap<string, number> {
  const known = CODES.get(language)
  if (known !== undefined) return known
  const own = [...(SINGLE[NATIONAL_LANGUAGES[language]] ?? [])].filter(([, letter]) => isOutside(letter))
  const codes = new Map(own.map(([code, letter]) => [letter, code]))
  CODES.set(language, codes)
  return codes
}

function isOutside(letter: string): boolean {
  return septetsOf(letter.charCodeAt(0)) === 0
}

const ESCAPE = 0x1b

/**
 * Splits a text into encoded segments of at most so many septets, one septet per byte, with the single shift table of
 * the language. Null if a character is in neither table.
 */
export function encodeNational(
  text: string,
  language: NationalLanguage,
  max: { readonly alone: number; readonly joined: number },
): readonly Uint8Array[] | null {
  const codes = codesOf(language)
  const letters: (readonly number[])[] = []
  for (const letter of text) {
    const code = codes.get(letter)
    if (code === undefined && isOutside(letter)) return null
    letters.push(code === undefined ? [...encodeGsm(letter)] : [ESCAPE, code])
  }
  const all = letters.flat()
  if (all.length <= max.alone) return [Uint8Array.from(all)]
  const segments: number[][] = [[]]
  for (const letter of letters) {
    const last = segments.at(-1) ?? []
    if (last.length + letter.length <= max.joined) last.push(...letter)
    else segments.push([...letter])
  }
  return segments.map((segment) => Uint8Array.from(segment))
}
