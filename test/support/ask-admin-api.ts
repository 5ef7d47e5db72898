/** One request to an admin API, and what came of it. */

export interface AdminAskOptions {
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface AdminReply {
  readonly status: number
  readonly type: string | null
  readonly etag: string | null
  /** What was answered as JSON; null without a body. */
  readonly body: Readonly<Record<string, unknown>>
}

export async function askAdminApi(
  address: string,
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<AdminReply> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(address, {
    method,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: sent }),
  })
  const text = await response.text()
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    etag: response.headers.get('etag'),
    body: text === '' ? null : JSON.parse(text),
  }
}
