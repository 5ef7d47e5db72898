/** The addresses at which the services of carriers call the gateway. */

/** The path below a carrier's webhook at which inbound messages come: receipts come to the webhook itself. */
export const INBOUND_PATH = '/inbound'

interface WebhookPlace {
  /** Below the webhook of the carrier. */
  readonly path?: string
  /** The secret at its end; null for none. */
  readonly token?: string | null
}

/** Returns only the path if the public address of the gateway is unknown. */
export function webhookAddress(
  carrierId: string,
  publicUrl: string | null,
  { path = '', token = null }: WebhookPlace = {},
): string {
  const base = `${publicUrl?.replace(/\/+$/, '') ?? ''}/carriers/${encodeURIComponent(carrierId)}${path}`
  return token === null ? base : `${base}/${token}`
}
