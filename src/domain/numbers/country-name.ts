/** Reads names of countries as price lists write them, in English and German. */
import metadata from 'libphonenumber-js/min/metadata'
import { type Country, isCountry } from './country.ts'

/** What the names of Unicode do not have. */
const OTHER_NAMES: Readonly<Record<string, Country>> = {
  'american samoa': 'AS',
  'bolivia plurinational state of': 'BO',
  'brunei darussalam': 'BN',
  burma: 'MM',
  'cabo verde': 'CV',
  congo: 'CG',
  'congo democratic republic': 'CD',
  'congo republic': 'CG',
  'czech republic': 'CZ',
  'democratic republic of the congo': 'CD',
  'east timor': 'TL',
  'great britain': 'GB',
  'holy see': 'VA',
  'hong kong': 'HK',
  'iran islamic republic of': 'IR',
  'ivory coast': 'CI',
  korea: 'KR',
  'korea republic of': 'KR',
  'korea south': 'KR',
  'lao pdr': 'LA',
  macao: 'MO',
  macau: 'MO',
  macedonia: 'MK',
  'moldova republic of': 'MD',
  'palestinian territory': 'PS',
  palestine: 'PS',
  'republic of the congo': 'CG',
  'russian federation': 'RU',
  swaziland: 'SZ',
  'syrian arab republic': 'SY',
  'taiwan province of china': 'TW',
  'tanzania united republic of': 'TZ',
  turkey: 'TR',
  uae: 'AE',
  uk: 'GB',
  'united states of america': 'US',
  usa: 'US',
  'venezuela bolivarian republic of': 'VE',
  'viet nam': 'VN',
  grossbritannien: 'GB',
  tschechien: 'CZ',
  weissrussland: 'BY',
}

const NAMES: ReadonlyMap<string, Country> = namesOfCountries()

function namesOfCountries(): ReadonlyMap<string, Country> {
  const names = new Map(Object.entries(OTHER_NAMES))
  for (const language of ['de', 'en']) {
    const display = new Intl.DisplayNames([language], { type: 'region' })
    for (const country of Object.keys(metadata.countries)) {
      const name = display.of(country)
      if (name !== undefined) names.set(plainName(name), country)
    }
  }
  return names
}

/** Reads a name, or the code of two letters; null for any other text. */
export function readCountryName(text: string): Country | null {
  const code = text.trim().toUpperCase()
  return /^[A-Z]{2}$/.test(code) && isCountry(code) ? code : (NAMES.get(plainName(text)) ?? null)
}

/** Returns the country with this code of two letters, otherwise those whose name begins with the text. */
export function findCountries(text: string): ReadonlySet<Country> {
  const code = text.trim().toUpperCase()
  if (/^[A-Z]{2}$/.test(code) && isCountry(code)) return new Set([code])
  const wanted = plainName(text)
  const found = [...NAMES].filter(([name]) => wanted !== '' && name.startsWith(wanted))
  return new Set(found.map(([, country]) => country))
}

/** Without accents, signs and case: `Côte d’Ivoire` is `cote d ivoire`. */
function plainName(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
    .replace(/^the /, '')
}
