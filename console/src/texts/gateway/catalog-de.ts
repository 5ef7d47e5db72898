/**
 * What the gateway writes, in German. A key is its English text: `{}` is a value, `{…}` a text of this catalog. In the
 * German text `{1}` is the first of them. Loaded for users who read German.
 */
import { CLIENT_API_DE } from './client-api-de.ts'
import { FORMS_DE } from './forms-de.ts'
import { REFUSALS_DE } from './refusals-de.ts'
import { REFUSALS_OF_ROUTING_DE } from './refusals-of-routing-de.ts'
import { RULES_DE } from './rules-de.ts'
import { STATES_DE } from './states-de.ts'

/** Of patterns, the first that fits applies: a longer one comes before its beginning. */
export const CATALOG_DE: Readonly<Record<string, string>> = {
  ...REFUSALS_DE,
  ...REFUSALS_OF_ROUTING_DE,
  ...STATES_DE,
  ...CLIENT_API_DE,
  ...RULES_DE,
  ...FORMS_DE,
}
