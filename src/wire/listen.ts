/** Opens the port of a server. */
import type { AddressInfo, Server } from 'node:net'

/** Resolves with the port, which the system chooses for 0. Rejects if it is taken. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
