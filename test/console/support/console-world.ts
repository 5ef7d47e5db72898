/**
 * The gateway with the simulator, in this process and in real time, for tests in a browser. Users log in through the
 * admin API as a browser would.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../../src/app/settings/config.ts'
import { systemClock } from '../../../src/app/system/system-clock.ts'
import { systemRandom } from '../../../src/app/system/system-random.ts'
import type { Role } from '../../../src/domain/accounts/admin-user.ts'
import { makeSignInLink } from '../../../src/operations/admin/session/sign-in-link.ts'
import type { Clock } from '../../../src/ports/system/clock.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { type AdminReply, askAdminApi } from '../../support/ask-admin-api.ts'
import { HookSink } from '../../support/hook-sink.ts'
import { SilentLog } from '../../support/silent-log.ts'
import { type ConsoleUser, giveSecrets, logIn, PASSWORD_LOG_N, type SessionCookie } from './console-user.ts'

export type { ConsoleUser } from './console-user.ts'

export class ConsoleWorld {
  readonly sandbox: Sandbox
  /** The client's hook, which answers every report with 200 until `answer` is set. */
  readonly sink: HookSink
  readonly #folder: string
  readonly #clock: Clock

  private constructor(sandbox: Sandbox, sink: HookSink, parts: { readonly folder: string; readonly clock: Clock }) {
    this.sandbox = sandbox
    this.sink = sink
    this.#folder = parts.folder
    this.#clock = parts.clock
  }

  /** Timers are in real time, whatever the clock shows. */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    clock: Clock = systemClock,
  ): Promise<ConsoleWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-console-'))
    const flags = { 'data-dir': folder, port: '0', 'admin-port': '0', 'hook-allow': '127.0.0.0/8', ...settings }
    const config = readConfig({ 'lifetime-min-seconds': '2', ...flags }, {})
    const sink = await HookSink.open(clock)
    const sandbox = await startSandbox({
      ...{ config, clock, random: systemRandom, log: new SilentLog() },
      passwordLogN: PASSWORD_LOG_N,
    })
    return new ConsoleWorld(sandbox, sink, { folder, clock })
  }

  /** The file of the gateway's database. */
  get databaseFile(): string {
    return join(this.#folder, 'posthorn.db')
  }

  /** Address of the console, without a slash at its end. */
  get console(): string {
    return `${this.sandbox.adminAddress}/console`
  }

  /** Asks the admin API as the sandbox's owner, or with another token. */
  askAdmin(method: string, path: string, body?: unknown, token = this.sandbox.adminToken): Promise<AdminReply> {
    const headers = { authorization: `Bearer ${token}` }
    return askAdminApi(`${this.sandbox.adminAddress}/admin/v1${path}`, method, body, headers)
  }

  /** As if the user had proven their identity long ago. */
  async forgetProof(user: string): Promise<void> {
    const { store } = this.sandbox.gateway
    const session = (await store.loadDirectory()).adminTokens.find((token) => token.user === user)
    await store.change({ kind: 'prove session', user, label: session?.label ?? '', at: 0 })
    await this.sandbox.gateway.refresh()
  }

  /** Asks the client API with the demo account's key; reports go to the sink. */
  send(...items: readonly object[]): Promise<readonly number[]> {
    return this.sendAs(this.sandbox.key, ...items)
  }

  async sendAs(key: string, ...items: readonly object[]): Promise<readonly number[]> {
    const data = items.map((item) => ({ hook: this.sink.address, ...item }))
    const response = await fetch(`${this.sandbox.address}/api/json.php`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ auth: key, data }),
    })
    const answer = (await response.json()) as {
      readonly data: readonly { readonly data: { readonly msg_id: number } }[]
    }
    return answer.data.map((each) => each.data.msg_id)
  }

  /** Creates a user with password and codes. `fields` are further fields of the user, such as its account. */
  async addUser(user: string, role: Role, fields: object = {}): Promise<ConsoleUser> {
    const { status, body } = await this.askAdmin('POST', '/users', { user, role, ...fields })
    if (status >= 300) throw new Error(`the user ${user} could not be added: ${JSON.stringify(body)}`)
    // Those of an account get its number after their name.
    return giveSecrets(this.sandbox.gateway, String(body['user']), this.#clock)
  }

  /** Makes a sign-in link as `posthorn console` does on this machine; returns its path below the console. */
  async signInLink(user: string): Promise<string> {
    const { store } = this.sandbox.gateway
    const { path } = await makeSignInLink({ store, clock: this.#clock, random: systemRandom }, user)
    return path.replace(/^.*\/console/, '')
  }

  logIn(user: ConsoleUser): Promise<SessionCookie> {
    return logIn(this.sandbox.adminAddress, user)
  }

  async stop(): Promise<void> {
    await this.sandbox.stop()
    await this.sink.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
