/** A webhook of a generic HTTP carrier at any address, for proofs that depend on it, at any time. */
import { HttpCalls } from '../../src/carriers/http/calls/open-call.ts'
import { readHttpSettings } from '../../src/carriers/http/settings.ts'
import type { WebhookAnswer, WebhookRequest } from '../../src/ports/carriers/carrier.ts'
import { VirtualClock } from './virtual-clock.ts'

interface WebhookCalls {
  readonly clock: VirtualClock
  /** The items of acknowledged calls. */
  readonly items: unknown[]
  /** The addresses that were requested. */
  readonly requested: string[]
  /** Calls still to be answered with 503. */
  refusals: number
  readonly call: (request: Partial<WebhookRequest> & { readonly text?: string }) => Promise<WebhookAnswer>
}

interface Where {
  readonly address?: string
  /** Seconds since 1970. */
  readonly now?: number
  /** The bodies at other addresses. */
  readonly web?: ReadonlyMap<string, string>
}

/** @param receipt settings of the receipts. */
export function openWebhookCalls(
  receipt: object,
  { address = 'https://a.example/carriers/c', now = 1_000, web }: Where = {},
) {
  const settings = readHttpSettings({
    request: { address: 'https://a.example/send', json: {} },
    answer: { id: 'ours' },
    receipt: { id: 'id', status: 'status', outcomes: { delivered: 'delivered' }, ...receipt },
  })
  if (settings.receipt === null) throw new Error('no receipts')
  const clock = new VirtualClock(now * 1_000)
  const webhook: WebhookCalls = {
    clock,
    items: [],
    requested: [],
    refusals: 0,
    call: ({ text = '', ...request }) =>
      calls.answer({ method: 'POST', path: '', headers: {}, body: Buffer.from(text), ...request }),
  }
  const get = async (url: string) => {
    webhook.requested.push(url)
    const body = web?.get(url)
    if (body === undefined) return { kind: 'silent', reason: 'not reachable', timedOut: false } as const
    return { kind: 'answered', status: 200, retryAfterMs: null, body } as const
  }
  const take = async (items: readonly unknown[]) => {
    if (webhook.refusals > 0) {
      webhook.refusals -= 1
      return { status: 503, body: 'not recorded' }
    }
    webhook.items.push(...items)
    return { status: 200, body: '' }
  }
  const calls = new HttpCalls(settings.receipt, { address, clock, get }, [{ settings: settings.receipt, take }])
  return webhook
}
