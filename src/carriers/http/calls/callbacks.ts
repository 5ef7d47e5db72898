/** The addresses of a generic HTTP carrier's own webhooks, for requests that name them. */
import { INBOUND_PATH, webhookAddress } from '../../../domain/network/webhook-address.ts'
import type { CallSettings } from './call-settings.ts'

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

export function callbackAddresses({ carrierId, publicUrl, receipt, inbound }: Webhooks): CallbackAddresses {
  const addressOf = (path: string, call: Pick<CallSettings, 'auth'> | null) =>
    publicUrl === null || call === null
      ? ''
      : webhookAddress(carrierId, publicUrl, { path, token: call.auth.kind === 'token' ? call.auth.token : null })
  return { receipt: addressOf('', receipt), inbound: addressOf(INBOUND_PATH, inbound) }
}

/** Returns the placeholders of these addresses that the settings, as written, have. */
export function callbacksIn(settings: unknown): readonly ('callback' | 'inboundCallback')[] {
  const text = JSON.stringify(settings) ?? ''
  return (['callback', 'inboundCallback'] as const).filter((name) => text.includes(`{{${name}}}`))
}
