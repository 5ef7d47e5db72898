/** The bare `node:http` server as a benchmark sees it. */
import { Child } from './child.ts'
import { requestsOf } from './gateways.ts'
import type { Load, Measured } from './http-load.ts'
import { type Spent, spentBetween, usageOf } from './process-usage.ts'

export class BareServer {
  readonly #child = new Child('./bare-server.ts')
  #port = 0

  get port(): number {
    return this.#port
  }

  static async start(): Promise<BareServer> {
    const bare = new BareServer()
    bare.#port = (await bare.#child.receive<{ port: number }>()).port
    return bare
  }

  /** Requests as the gateway gets them, or GETs that it redirects. */
  async measure(
    load: Child,
    { requests, connections, head }: Pick<Load, 'requests' | 'connections'> & Partial<Pick<Load, 'head'>>,
  ): Promise<Measured & { readonly perSecond: number; readonly spent: Spent }> {
    const content = head === undefined ? requestsOf('sms', 1) : { head, body: '' }
    const before = usageOf([this.#child.pid])
    const measured = await load.ask<Measured>({ port: this.#port, requests, connections, ...content } satisfies Load)
    const spent = spentBetween(before, usageOf([this.#child.pid]), requests)
    return { ...measured, perSecond: requests / measured.seconds, spent }
  }

  end(): Promise<void> {
    return this.#child.end()
  }
}
