/** Clients' own identifiers, kept as the JSON tokens that were sent. */

/**
 * The tokens under which a client may look for a message: the one that it wrote, and for digits alone also the other form,
 * `12` for `"12"` and the reverse. The exact one comes first.
 */
export function tokensOf(clientId: string): readonly string[] {
  if (/^(?:0|[1-9]\d*)$/.test(clientId)) return [clientId, `"${clientId}"`]
  const [, digits] = /^"(0|[1-9]\d*)"$/.exec(clientId) ?? []
  return digits === undefined ? [clientId] : [clientId, digits]
}
