/** The addresses of a generic HTTP carrier's own webhooks, for requests that name them. */
import type { CallSettings } from './call-settings.ts'

/** The path below the carrier's webhook, before the token: receipts come to the webhook itself. */
export const INBOUND_PATH = '/inbound'

/** Empty for a webhook that the settings do not have. */
export interface CallbackAddresses {
  readonly receipt: string
  readonly inbound: string
}

interface Webhooks {
  readonly carrierId: string
  /** Null if the installation does not name it. */
  readonly publicUrl: string | null
  readonly receipt: Pick<CallSettings, 'auth'> | null
  readonly inbound: Pick<CallSettings, 'auth'> | null
}

/** Returns only the path if the public address is unknown. */
export function webhookAddress(carrierId: string, publicUrl: string | null): string {
  return `${publicUrl?.replace(/\/+$/, '') ?? ''}/carriers/${encodeURIComponent(carrierId)}`
}

export function callbackAddresses({ carrierId, publicUrl, receipt, inbound }: Webhooks): CallbackAddresses {
  const base = publicUrl === null ? null : webhookAddress(carrierId, publicUrl)
  return { receipt: addressOf(base, receipt), inbound: addressOf(base && `${base}${INBOUND_PATH}`, inbound) }
}

function addressOf(base: string | null, call: Pick<CallSettings, 'auth'> | null): string {
  if (base === null || call === null) return ''
  return call.auth.kind === 'token' ? `${base}/${call.auth.token}` : base
}

/** Returns the placeholders of these addresses that the settings, as written, have. */
export function callbacksIn(settings: unknown): readonly ('callback' | 'inboundCallback')[] {
  const text = JSON.stringify(settings) ?? ''
  return (['callback', 'inboundCallback'] as const).filter((name) => text.includes(`{{${name}}}`))
}
