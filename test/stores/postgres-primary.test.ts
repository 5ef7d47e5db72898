/**
 * Finding the primary among the hosts of an address, on real sockets: one host accepts connections and never answers,
 * one is a standby, one is the primary. Every connection finds it, whatever the order of hosts and however many are
 * opened at a time.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DatabaseHosts, NoPrimary } from '../../src/stores/postgres/connection/database-hosts.ts'
import { SHORT_WORK } from '../../src/stores/postgres/connection/lasting-connection.ts'
import { rare } from '../../src/stores/postgres/connection/statement.ts'
import { eventually } from '../support/eventually.ts'
import { whyPostgresIsMissing } from '../support/postgres-programs.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'

const PORT = rare<[port: number]>(`SELECT current_setting('port')::int`)

/** Accepts connections and reads nothing. */
class BlackHole {
  readonly open = new Set<Socket>()
  connections = 0
  readonly #server: Server

  constructor() {
    this.#server = createServer((socket) => {
      this.connections += 1
      this.open.add(socket)
      socket.on('error', () => {}).on('close', () => this.open.delete(socket))
      socket.resume()
    })
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

describe.skipIf((await whyPostgresIsMissing()) !== null)('the primary', () => {
  const blackHole = new BlackHole()
  let primary: PostgresServer
  let standby: PostgresServer
  beforeAll(async () => {
    await blackHole.listen()
    primary = await startPostgres({ settings: ['wal_level=replica'] })
    await primary.halt()
    standby = await startPostgres({ standbyOf: primary })
    await primary.start()
  }, 60_000)
  afterAll(async () => {
    await standby?.stop()
    await primary?.stop()
    await blackHole.close()
  }, 60_000)

  const search = (...ports: readonly number[]) => {
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
    return new DatabaseHosts(primary.urlOf('postgres').replace(/127\.0\.0\.1:\d+/, hosts))
  }
  const orders = [
    ['black hole', 'standby', 'primary'],
    ['black hole', 'primary', 'standby'],
    ['standby', 'black hole', 'primary'],
    ['standby', 'primary', 'black hole'],
    ['primary', 'black hole', 'standby'],
    ['primary', 'standby', 'black hole'],
  ] as const

  it.each(orders)('is found by concurrent connections among %s, %s, %s', async (...names) => {
    const portOf = { 'black hole': blackHole.port, standby: standby.port, primary: primary.port }
    const hosts = search(...names.map((name) => portOf[name]))
    const before = blackHole.connections
    // One after the other too: which host was found before must not matter.
    for (const connections of [8, 1, 8]) {
      const links = await Promise.all(Array.from({ length: connections }, () => hosts.connect(SHORT_WORK)))
      for (const link of links) expect(await link.query(PORT)).toEqual([[primary.port]])
      await Promise.all(links.map((link) => link.end()))
    }
    expect(blackHole.connections - before).toBeLessThanOrEqual(17)
    await eventually('the connections to the black hole to be closed', () => blackHole.open.size === 0)
  })

  it('leaves no connection on a standby', async () => {
    const links = await Promise.all(
      Array.from({ length: 8 }, () => search(standby.port, primary.port).connect(SHORT_WORK)),
    )
    const onStandby = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'posthorn'`
    await eventually('the standby to be left', async () => (await standby.query('postgres', onStandby)).length === 0)
    await Promise.all(links.map((link) => link.end()))
  })

  it('is missing: reports the reason of each host, in order', async () => {
    const failure = await search(standby.port, blackHole.port)
      .connect(SHORT_WORK)
      .catch((error) => error)
    expect(failure).toBeInstanceOf(NoPrimary)
    expect(failure.message).toBe(
      `127.0.0.1:${standby.port}: is a standby; 127.0.0.1:${blackHole.port}: does not answer`,
    )
    expect(blackHole.open.size).toBe(0)
  })
})
