/** `deploy/haproxy.cfg` for servers on loopback, whose ports are known. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const HAPROXY_FILE = join(import.meta.dirname, '..', '..', 'deploy', 'haproxy.cfg')

/** `checkPort`: where the server answers `/readyz`. */
export interface ProxiedServer {
  readonly port: number
  readonly checkPort: number
}

/** Checks every 200 ms, as tests do not wait for a second. */
export function haproxyFor(port: number, servers: readonly ProxiedServer[]): string {
  const lines = servers.map(
    (each, index) =>
      `  server gateway${index} 127.0.0.1:${each.port} check port ${each.checkPort} inter 200ms fall 1 rise 1`,
  )
  return readFileSync(HAPROXY_FILE, 'utf8')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/^resolvers docker\n.*\n/m, '')
    .replace(/^ {2}server-template .*$/m, ['  timeout check 10s', ...lines].join('\n'))
}
