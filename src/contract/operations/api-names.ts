/** The APIs for clients, as the setting names them. */

export const API_NAMES = ['json', 'rest', 'xml', 'query', 'kannel', 'jasmin', 'logins', 'smpp'] as const
export type ApiName = (typeof API_NAMES)[number]
