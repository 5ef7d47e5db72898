/** The address of a port of the gateway on this machine. */

/** A gateway that listens on all addresses is reached on loopback. */
export function portAddress(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
