/** One HTTP request with exactly these headers and this path, which fetch would change or refuse. */

import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface PlainAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface PlainRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export function plainRequest(
  address: string,
  path: string,
  { method = 'GET', headers = {}, body }: PlainRequest = {},
): Promise<PlainAnswer> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      text(response).then(
        (answer) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: answer }),
        reject,
      )
    })
    asked.on('error', reject).end(body)
  })
}
