/** Clients' own identifiers, stored as the JSON tokens that were sent. */

/**
 * Returns the tokens under which a client may look up a message: the one it wrote and, for digits only, the other form
 * too (`12` for `"12"` and the reverse). The exact token comes first.
 */
export function tokensOf(clientId: string): readonly string[] {
  if (/^(?:0|[1-9]\d*)$/.test(clientId)) return [clientId, `"${clientId}"`]
  const [, digits] = /^"(0|[1-9]\d*)"$/.exec(clientId) ?? []
  return digits === undefined ? [clientId] : [clientId, digits]
}
