/** The addresses that a provider calls, as an operator copies them to the provider's website. */
import { fillNamedValues } from '../../../domain/text/named-values.ts'

export interface WebhookAddresses {
  /** Null if the provider makes no such calls. */
  readonly receipts: string | null
  readonly inbound: string | null
}

/** `settings` of an HTTP carrier; `publicUrl` null if it is not known. */
export function webhookAddresses(carrierId: string, settings: unknown, publicUrl: string | null): WebhookAddresses {
  const base = `${publicUrl ?? 'PUBLIC_URL'}/carriers/${carrierId}`
  const { receipt, inbound } = Object(fillNamedValues(settings)) as Readonly<Record<string, unknown>>
  return { receipts: addressOf(base, receipt), inbound: addressOf(`${base}/inbound`, inbound) }
}

function addressOf(base: string, calls: unknown): string | null {
  if (typeof calls !== 'object' || calls === null) return null
  const { kind, token } = Object(Object(calls).auth) as { readonly kind?: unknown; readonly token?: unknown }
  return kind === 'token' ? `${base}/${token}` : base
}

/** Returns the steps with the addresses in them. */
export function fillSteps(steps: readonly string[], { receipts, inbound }: WebhookAddresses): readonly string[] {
  return steps.map((step) =>
    step.replaceAll('{{webhook}}', receipts ?? '').replaceAll('{{inboundWebhook}}', inbound ?? receipts ?? ''),
  )
}
