/** The bare `node:http` server as a benchmark sees it. */
import type { BareSetup } from './bare-server.ts'
import { Child } from './child.ts'
import { requestsOf } from './gateways.ts'
import type { Load, Measured } from './http-load.ts'
import { type Spent, spentBetween, usageOf } from './process-usage.ts'

export class BareServer {
  readonly #child: Child
  #port = 0

  private constructor(setup: BareSetup) {
    this.#child = new Child('./bare-server.ts', [JSON.stringify(setup)])
  }

  get port(): number {
    return this.#port
  }

  static async start(setup: BareSetup = { rows: false }): Promise<BareServer> {
    const bare = new BareServer(setup)
    bare.#port = (await bare.#child.receive<{ port: number }>()).port
    return bare
  }

  /** Requests as the gateway gets them, or GETs that it redirects. What was spent is of each request. */
  async measure(
    load: Child,
    { head, ...sent }: Pick<Load, 'requests' | 'connections' | 'perRequest'> & Partial<Pick<Load, 'head'>>,
  ): Promise<Measured & { readonly perSecond: number; readonly spent: Spent }> {
    const content = head === undefined ? requestsOf('sms', 1) : { head, body: '' }
    const before = usageOf([this.#child.pid])
    const measured = await load.ask<Measured>({ port: this.#port, ...sent, ...content } satisfies Load)
    const spent = spentBetween(before, usageOf([this.#child.pid]), sent.requests)
    return { ...measured, perSecond: sent.requests / measured.seconds, spent }
  }

  end(): Promise<void> {
    return this.#child.end()
  }
}
