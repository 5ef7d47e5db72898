/** Clients' own identifiers, stored as the JSON tokens that were sent. */

/** Programs pad their numbers to at most so many digits. */
const MAX_PADDED = 12

/** Returns the token that an id is compared as: `1` for `1.0`, which JSON does not distinguish. */
export function comparedToken(clientId: string): string {
  return clientId.replace(/^(-?\d+)\.0+$/, '$1')
}

/**
 * Returns the tokens under which a client may look up a message: the one it wrote and, for digits only, the other forms
 * too: `12` for `"12"` and the reverse, `12.0`, and with zeros in front. The exact token comes first.
 */
export function tokensOf(clientId: string): readonly string[] {
  const [, quote, zeros, digits] = /^("?)(0*)(0|[1-9]\d*)\1$/.exec(comparedToken(clientId)) ?? []
  if (digits === undefined || (quote === '' && zeros !== '')) return [clientId]
  const padded = Array.from({ length: Math.max(0, MAX_PADDED - digits.length) }, (_, index) => {
    return `"${digits.padStart(digits.length + index + 1, '0')}"`
  })
  return [...new Set([clientId, digits, `"${digits}"`, `${digits}.0`, ...padded])]
}
