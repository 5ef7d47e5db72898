/** The addresses that a carrier's service calls, as an operator copies them to the website of the service. */
import Type, { type Static } from 'typebox'
import type { CarrierSetup } from '../../../domain/directory/directory.ts'
import { INBOUND_PATH, webhookAddress } from '../../../domain/network/webhook-address.ts'
import { mapTexts } from '../../../domain/text/map-texts.ts'
import { fillNamedValues } from '../../../domain/text/named-values.ts'
import type { CarrierKind } from '../fields/carrier-kinds.ts'
import { isSecret } from './kept-secrets.ts'

const CALLS = ['receipts', 'inbound', 'all'] as const

export const Webhook = Type.Object({
  calls: Type.Enum([...CALLS], { description: 'what comes there; `all` for receipts and inbound messages' }),
  address: Type.String({ description: 'with PUBLIC_URL if it is not set, and TOKEN for a secret' }),
})

type Webhook = Static<typeof Webhook>

type Addressed = Pick<CarrierSetup, 'id' | 'kind' | 'settings'>

/** Kinds whose service calls one address. */
const CALLED_AT_ONE: readonly CarrierKind[] = ['rbm', 'viber', 'whatsapp', 'telegram']

/** `publicUrl` is null if it is not known. */
export function webhooksOf({ id, kind, settings }: Addressed, publicUrl: string | null): readonly Webhook[] {
  const base = publicUrl ?? 'PUBLIC_URL'
  if (kind === 'http') {
    const { receipt, inbound } = Object(fillNamedValues(settings)) as Readonly<Record<string, unknown>>
    return [
      ...(isCalls(receipt) ? [{ calls: 'receipts', path: '', token: tokenOf(receipt) } as const] : []),
      ...(isCalls(inbound) ? [{ calls: 'inbound', path: INBOUND_PATH, token: tokenOf(inbound) } as const] : []),
    ].map(({ calls, ...place }) => ({ calls, address: webhookAddress(id, base, place) }))
  }
  if (!CALLED_AT_ONE.some((each) => each === kind)) return []
  const { webhookToken: token = null } = Object(settings) as { readonly webhookToken?: string }
  return [{ calls: 'all', address: webhookAddress(id, base, { token }) }]
}

/** The same with TOKEN in place of secrets. */
export function shownWebhooksOf({ settings, ...carrier }: Addressed, publicUrl: string | null): readonly Webhook[] {
  const hidden = mapTexts(settings, '', (text, path) => (isSecret(text, path) ? 'TOKEN' : text))
  return webhooksOf({ ...carrier, settings: hidden }, publicUrl)
}

function isCalls(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function tokenOf(calls: object): string | null {
  const { kind, token } = Object(Object(calls).auth) as { readonly kind?: unknown; readonly token?: unknown }
  return kind === 'token' ? String(token) : null
}

/** Returns the steps with the addresses in them. */
export function fillSteps(steps: readonly string[], webhooks: readonly Webhook[]): readonly string[] {
  const at = (calls: Webhook['calls']) => webhooks.find((each) => each.calls === calls)?.address
  const receipts = at('receipts') ?? ''
  return steps.map((step) =>
    step.replaceAll('{{webhook}}', receipts).replaceAll('{{inboundWebhook}}', at('inbound') ?? receipts),
  )
}
