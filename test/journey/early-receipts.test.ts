/** Simulated carriers whose receipts are due before they know the address of their webhook. */
import { createServer as createHttpServer } from 'node:http'
import { expect, test } from 'vitest'
import { ReceiptPlayer } from '../../src/simulator/server/receipt-player.ts'
import { eventually } from '../support/eventually.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

test('a simulated carrier keeps its receipts until it has an address, and holds up no answer', async () => {
  const calls: string[] = []
  const webhook = createHttpServer((request, response) => {
    calls.push(request.url ?? '')
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => webhook.once('listening', resolve))
  const clock = new VirtualClock()
  const player = new ReceiptPlayer(clock)
  const receipts = [
    { outcome: 'delivered', afterMs: 0 },
    { outcome: 'read', afterMs: 500 },
  ] as const
  const playing = player.play({ receipts, lateDeliveryMs: null, write: () => ({ headers: {}, body: '{}' }) })
  await playing.firstAnswer
  expect(calls).toEqual([])
  player.setWebhook(`http://127.0.0.1:${(webhook.address() as { port: number }).port}/hook`)
  await eventually('both receipts', () => calls.length === 2, { clock })
  await player.stop()
  webhook.close()
})

test('a simulated carrier that stops without an address forgets its receipts', async () => {
  const player = new ReceiptPlayer(new VirtualClock())
  const receipts = [{ outcome: 'delivered', afterMs: 0 }] as const
  await player.play({ receipts, lateDeliveryMs: null, write: () => ({ headers: {}, body: '{}' }) }).firstAnswer
  await player.stop()
})
