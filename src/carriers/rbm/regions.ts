/** The three regions in which Google keeps agents and phones, each with a host of its own. */
export type Region = 'us' | 'europe' | 'asia'

export const GLOBAL_URL = 'https://rcsbusinessmessaging.googleapis.com'

/** Google's own hosts. */
export const REGIONAL_URLS: Readonly<Record<Region, string>> = {
  us: 'https://us-rcsbusinessmessaging.googleapis.com',
  europe: 'https://europe-rcsbusinessmessaging.googleapis.com',
  asia: 'https://asia-rcsbusinessmessaging.googleapis.com',
}

/**
 * Returns the region of a phone by its calling code: the Americas, Asia with Oceania, and all others with Europe.
 * Google does not publish a list by country.
 */
export function regionOf(phone: string): Region {
  if (/^[15]/.test(phone)) return 'us'
  return /^(6|8|9[1-5])/.test(phone) ? 'asia' : 'europe'
}
