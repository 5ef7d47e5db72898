/** The smallest HTTP server that lets a simulated carrier call a carrier's webhook over a real socket. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Carrier, WebhookAnswer } from '../../src/ports/carriers/carrier.ts'

export interface WebhookDoor {
  /** `http://127.0.0.1:…/carriers/{id}`. */
  readonly address: string
  /** The answers, newest last. */
  readonly answers: readonly WebhookAnswer[]
  stop(): Promise<void>
}

export async function openWebhookDoor(carrier: Carrier): Promise<WebhookDoor> {
  const prefix = `/carriers/${carrier.id}`
  const answers: WebhookAnswer[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { method = '', url = '', headers } = request
      const path = url.slice(prefix.length)
      const call = { method, path, headers: headers as Record<string, string>, body: Buffer.concat(chunks) }
      const answer = (await carrier.answerWebhook?.(call)) ?? { status: 404, body: '' }
      answers.push(answer)
      response.writeHead(answer.status, { 'content-type': answer.contentType ?? 'text/plain' }).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    answers,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
