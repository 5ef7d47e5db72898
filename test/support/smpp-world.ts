/** A sandbox with an SMPP server, its logins and the clients that connect to it. */
import { expect } from 'vitest'
import type { Login } from '../../src/domain/accounts/login.ts'
import { STATUS } from '../../src/wire/smpp/command-status.ts'
import type { BindCommand } from '../../src/wire/smpp/pdu.ts'
import { buildLogin } from './build-message.ts'
import { SandboxWorld } from './sandbox-world.ts'
import { SmppClient } from './smpp-client.ts'

export class SmppWorld {
  readonly sandbox: SandboxWorld
  readonly #clients: SmppClient[] = []

  private constructor(sandbox: SandboxWorld) {
    this.sandbox = sandbox
  }

  /** With the login `shop`. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<SmppWorld> {
    const flags = { apis: 'json,smpp', 'smpp-port': '0', ...settings }
    const world = new SmppWorld(await SandboxWorld.start(undefined, undefined, flags))
    await world.setLogin({ name: 'shop' })
    return world
  }

  get port(): number {
    return this.sandbox.gateway.smppPort ?? 0
  }

  async setLogin(change: Partial<Login> & Pick<Login, 'name'>): Promise<void> {
    const { gateway, accountId } = this.sandbox
    await gateway.store.change({ kind: 'set client login', login: buildLogin({ accountId, ...change }) })
    await gateway.refresh()
  }

  connect(): SmppClient {
    const client = new SmppClient(this.port)
    this.#clients.push(client)
    return client
  }

  async bound(login = 'shop', command?: BindCommand): Promise<SmppClient> {
    const client = this.connect()
    expect((await client.bind(login, command)).status).toBe(STATUS.ok)
    return client
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.close()
    await this.sandbox.stop()
  }
}
