/** The address and the lifecycle of a simulated carrier that is called over HTTP and posts receipts to a webhook. */
import { type Handle, HttpDouble } from './http-double.ts'
import type { ReceiptPlayer } from './receipt-player.ts'

export interface WebhookDouble {
  /** `http://127.0.0.1:…`: the carrier's `baseUrl`. */
  readonly address: string
  /** The full address that receipts are posted to; before it is set, they wait. */
  setWebhook(url: string): void
  goDown(): Promise<void>
  comeBack(): Promise<void>
  stop(): Promise<void>
}

/** Listens on a free port if `port` is absent. */
export async function startWebhookDouble(handle: Handle, player: ReceiptPlayer, port?: number): Promise<WebhookDouble> {
  const server = await HttpDouble.listen(handle, port)
  return {
    address: server.address,
    setWebhook: (url) => player.setWebhook(url),
    goDown: () => server.goDown(),
    comeBack: () => server.comeBack(),
    stop: async () => {
      await player.stop()
      await server.goDown()
    },
  }
}
