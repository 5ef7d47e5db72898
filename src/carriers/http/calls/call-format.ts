/** How the content of a webhook call is written. */

/** `json` and `form` are of the body. */
export const FORMATS = ['json', 'form', 'query'] as const
export type Format = (typeof FORMATS)[number]

export const CHARSETS = ['utf-8', 'iso-8859-1', 'utf-16be'] as const
export type Charset = (typeof CHARSETS)[number]
