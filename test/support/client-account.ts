/** An account with one of everything, its users, and a mark in each text that only they may see. */
import { expect } from 'vitest'
import type { SandboxWorld } from './sandbox-world.ts'
import { chainItem } from './send-items.ts'

export const CLIENT_ROLES = ['client-admin', 'client-reader'] as const
export type ClientRole = (typeof CLIENT_ROLES)[number]

const PHONE = '491701234501'

export class ClientAccount {
  /** Stands in everything that only this account may see. */
  readonly mark: string
  readonly id: number
  readonly phone = PHONE
  readonly key: string
  readonly tokens: Readonly<Record<ClientRole, string>>
  message = 0
  inbound = 0
  bulk = 0
  hook = 0
  failedHook = ''
  readonly #world: SandboxWorld

  private constructor(world: SandboxWorld, mark: string, made: Pick<ClientAccount, 'id' | 'key' | 'tokens'>) {
    this.#world = world
    this.mark = mark
    this.id = made.id
    this.key = made.key
    this.tokens = made.tokens
  }

  /** `mark` is a lower-case word. */
  static async create(world: SandboxWorld, mark: string): Promise<ClientAccount> {
    const operate = operatorOf(world)
    const { account, name } = await operate('POST', '/accounts', { name: `Shop ${mark}` })
    expect(name).toBe(`Shop ${mark}`)
    const id = Number(account)
    await operate('POST', `/accounts/${id}/top-ups`, { amount: 50, note: `invoice ${mark}` })
    for (const channel of ['rcs', 'chatapp', 'sms']) {
      const sender = { rcs: 'RCSTest', chatapp: 'ChatTest', sms: 'SMSTest' }[channel]
      await operate('POST', '/senders/approve', { account: id, channel, name: sender, ids: { agent_id: mark } })
    }
    const { key } = await operate('POST', `/accounts/${id}/keys`, { name: `server ${mark}` })
    await operate('POST', `/accounts/${id}/keys`, { name: 'old' })
    await operate('POST', `/accounts/${id}/logins`, { name: `old-${id}` })
    const tokens: Record<string, string> = {}
    for (const role of CLIENT_ROLES) {
      const { user } = await operate('POST', '/users', { user: `${role}-${mark}`, role, account: id })
      const { token } = await operate('POST', `/users/${user}/tokens`, { label: 'test' })
      tokens[role] = String(token)
    }
    await operate('POST', '/users', { user: `idle-${mark}`, role: 'client-reader', account: id })
    await operate('POST', '/users', { user: `spare-${mark}`, role: 'client-reader', account: id })
    await operate('POST', `/users/spare-${mark}@${id}/tokens`, { label: 'spare' })
    const made = { id, key: String(key), tokens: tokens as Record<ClientRole, string> }
    const client = new ClientAccount(world, mark, made)
    await client.#fill(operate)
    return client
  }

  get month(): string {
    return new Date(this.#world.clock.now()).toISOString().slice(0, 7)
  }

  /** Two more users. */
  get idle(): string {
    return `idle-${this.mark}@${this.id}`
  }

  get spare(): string {
    return `spare-${this.mark}@${this.id}`
  }

  ask(role: ClientRole, method: string, path: string, body?: object) {
    // So that no request is too early for the limit of requests per second.
    this.#world.clock.advance(20)
    return this.#world.askAdmin(method, path, { token: this.tokens[role], body })
  }

  /** Sends a message whose reports fail, and makes what else a client has. */
  async #fill(operate: ReturnType<typeof operatorOf>): Promise<void> {
    const { id, mark, phone } = this
    this.failedHook = `${this.#world.sink.address}/gone-${mark}`
    const sent = await this.#request(chainItem(phone, { id: `order-${mark}`, hook: this.failedHook }))
    this.message = Number(sent['msg_id'])
    const { hook_id } = await this.#request({ type: 'hook/create', hook: `${this.#world.sink.address}/${mark}` })
    this.hook = Number(hook_id)
    const item = { type: 'sms', sms_signature: 'SMSTest', sms_message: `Spring ${mark}` }
    this.bulk = Number((await this.#request({ type: 'bulk/create', message: item }))['bulk_id'])
    await operate('PUT', '/prices', { account: id, currency: 'EUR', channel: 'sms', prefix: '4917', price: 0.07 })
    await operate('PUT', '/inbound-numbers', { carrier: 'sandbox-sms', address: mark, account: id, reply: null })
    const written = { from: '37120000100', to: mark, text: `Hello ${mark}` }
    expect(await this.#world.box.smsc.write(written)).toMatchObject({ kind: 'answered', answer: { status: 0 } })
    const { data } = (await operate('GET', `/inbound-messages?account=${id}`)) as { data: { inbound: number }[] }
    this.inbound = data[0]?.inbound ?? 0
    const template = { signature: 'ChatTest', template: `Hello ${mark} {{1}}`, status: 'approved' }
    await operate('POST', `/accounts/${id}/chat-templates`, template)
    await operate('POST', `/accounts/${id}/opt-outs`, { phone: '491709999999' })
  }

  async #request(item: object): Promise<Readonly<Record<string, unknown>>> {
    const { data: [result] = [] } = await this.#world.post({ auth: this.key, data: [item] })
    expect(result).toMatchObject({ success: true })
    return result?.data ?? {}
  }
}

/** Asks as the owner; the request must succeed. */
function operatorOf(world: SandboxWorld) {
  return async (method: string, path: string, body?: object) => {
    const reply = await world.askAdmin(method, path, { body })
    expect([path, reply.status, reply.status < 300 ? null : reply.body]).toEqual([path, reply.status, null])
    return reply.body
  }
}
