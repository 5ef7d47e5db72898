/** A request to a hook in the form of a program, as HTTP/1.1. */

export interface ProgramCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** Returns the request up to the end of its headers and its body. */
export function writeProgramRequest({ method, headers, body }: ProgramCall, url: URL, common: string): string {
  const { host, pathname, search, username, password } = url
  let lines = `${method} ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${common}`
  if (username !== '' || password !== '') {
    const login = Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')
    lines += `authorization: Basic ${login}\r\n`
  }
  for (const [name, value] of headers) lines += `${name}: ${value.replace(/[^\x20-\x7e]/g, '?')}\r\n`
  if (method === 'POST') lines += `content-length: ${Buffer.byteLength(body)}\r\n`
  return `${lines}\r\n${body}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
