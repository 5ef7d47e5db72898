/**
 * Gateways that share the work: one takes requests, another delivers, on one PostgreSQL database and by the real clock.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Gateway, startGateway } from '../../src/app/gateway.ts'
import { readConfig } from '../../src/app/settings/config.ts'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { systemRandom } from '../../src/app/system/system-random.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { REPLY_PENDING } from '../../src/domain/inbound/automatic-reply.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import { sandboxLookup } from '../../src/simulator/lookup/lookup.ts'
import { eventually } from '../support/eventually.ts'
import { wrote } from '../support/inbound-arrival.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { SilentLog } from '../support/silent-log.ts'
import { usePostgres } from '../support/use-postgres.ts'

const PHONE = 491701234500
/** The carrier takes it and never delivers. */
const SILENT_PHONE = 491701234505

const postgres = await usePostgres()

interface Item {
  readonly success: boolean
  readonly error?: string
  readonly data?: Readonly<Record<string, unknown>>
}

describe.skipIf(postgres.isMissing)('two gateways of different roles', () => {
  const log = new SilentLog()
  const tools = { clock: systemClock, random: systemRandom, log }
  let dataDir: string
  let database: TestDatabase
  let delivery: Sandbox
  let api: Gateway
  beforeAll(async () => {
    database = await postgres.takeDatabase({ isNew: true })
    dataDir = mkdtempSync(join(tmpdir(), 'posthorn-roles-'))
    const flags = { database: database.url, 'data-dir': dataDir, port: '0', 'admin-port': '0' }
    delivery = await startSandbox({ ...tools, config: readConfig({ ...flags, role: 'delivery' }, {}) })
    api = await startGateway({ ...tools, config: readConfig({ ...flags, role: 'api' }, {}), lookup: sandboxLookup })
  })
  afterAll(async () => {
    await api?.stop()
    await delivery?.stop()
    await database?.giveBack()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const post = (address: string, data: readonly object[]) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ auth: delivery.key, data })
    return fetch(`${address}/api/json.php`, { method: 'POST', headers, body })
  }
  const ask = async (item: object): Promise<Item> => {
    const answer = (await (await post(api.address, [item])).json()) as { readonly data: readonly Item[] }
    return answer.data[0] ?? { success: false, error: JSON.stringify(answer) }
  }
  const sms = (item: object = {}) =>
    ask({ type: 'sms', phone: PHONE, sms_signature: 'SMSTest', sms_message: 'Hello', ...item })
  const statusOf = async ({ data }: Item): Promise<unknown> => {
    return (await ask({ type: 'status', msg_id: data?.['msg_id'] })).data?.['status']
  }

  it('bring what one has accepted to a phone', async () => {
    const sent = await sms()
    expect(sent).toMatchObject({ success: true })
    await eventually('the message to be delivered', async () => (await statusOf(sent)) === 'DELIVERED')
    expect(api.delivery.pump.facts).toEqual({ held: 0, inFlight: 0 })
    expect(await api.store.verifyLedger()).toEqual([])
  })

  it('let a caller wait for a call that the other places', async () => {
    expect(await ask({ type: 'call/otp', phone: PHONE })).toMatchObject({
      success: true,
      data: { code: expect.anything() },
    })
  })

  it('ask lookup services from the one that takes requests', async () => {
    expect(await ask({ type: 'lookup', phone: PHONE })).toMatchObject({ success: true, data: { source: 'service' } })
    expect(await api.store.verifyLedger()).toEqual([])
  })

  it('cancel messages that no node holds, and none that the other may be sending', async () => {
    const planned = await sms({ send_at: new Date(Date.now() + 3_600_000).toISOString() })
    expect(await ask({ type: 'cancel', msg_id: planned.data?.['msg_id'] })).toMatchObject({ success: true })
    expect(await statusOf(planned)).toBe('CANCELLED')
    const taken = await sms({ phone: SILENT_PHONE })
    await eventually('a carrier to have it', () => delivery.box.traffic.to(String(SILENT_PHONE)).length > 0)
    expect(await ask({ type: 'cancel', msg_id: taken.data?.['msg_id'] })).toMatchObject({ success: false })
  })

  it('send one automatic reply to each message, although both look for them', async () => {
    const accountId = toAccountId(1)
    const [carrierId, address] = [SANDBOX_CARRIERS.sms, '1234']
    const number = { carrierId, address, keyword: null, accountId, hook: null, reply: 'Hi', replySender: 'SMSTest' }
    await api.store.change({ kind: 'set inbound number', number })
    await Promise.all([api.refresh(), delivery.gateway.refresh()])
    const phones = Array.from({ length: 40 }, (_, index) => `4917020${10 + index}00`)
    const at = Date.now()
    const arrivals = phones.map((sender) => wrote('Hello', { carrierId, sender, recipient: address, at }))
    await api.store.recordInbound(arrivals, [])
    const listed = async () => (await api.store.page({ of: 'inbound', accountId: null, after: null, limit: 500 })).rows
    const isReplied = async () => (await listed()).every(({ reply }) => reply !== null && reply !== REPLY_PENDING)
    await eventually('all messages to have their replies', isReplied)
    for (const { sender, reply } of await listed()) {
      const query = { of: 'messages', accountId, phone: sender as Phone, status: null, after: null, limit: 10 } as const
      expect((await api.store.page(query)).rows.map(({ id }) => String(id))).toEqual([reply])
    }
    expect(await api.store.verifyLedger()).toEqual([])
  })

  it('approve a code once, whichever of them it is checked at', async () => {
    const flags = { database: database.url, 'data-dir': dataDir, port: '0', 'admin-port': '0', role: 'api' }
    const other = await startGateway({ ...tools, config: readConfig(flags, {}), lookup: sandboxLookup })
    const phone = '491701234600'
    const codeOf = () => /\d{6}/.exec(delivery.box.traffic.to(phone)[0]?.text ?? '')?.[0]
    const started = await ask({ type: 'verify/start', phone, sms_signature: 'SMSTest' })
    await eventually('the code to arrive', () => codeOf() !== undefined)
    const check = { type: 'verify/check', verify_id: started.data?.['verify_id'], code: codeOf() }
    const checks = Array.from({ length: 10 }, async (_, index) => {
      const answer = await post((index % 2 === 0 ? api : other).address, [check])
      const { data } = (await answer.json()) as { readonly data: readonly Item[] }
      return String(data[0]?.data?.['status'])
    })
    expect((await Promise.all(checks)).toSorted()).toEqual(['approved', ...Array(9).fill('used')])
    await other.stop()
    expect(await api.store.verifyLedger()).toEqual([])
  })

  it('serve what is of their role alone, and say which they are', async () => {
    expect((await post(delivery.address, [])).status).toBe(404)
    const webhook = (address: string) => fetch(`${address}/carriers/sandbox-rcs`, { method: 'POST', body: '{}' })
    expect((await webhook(api.address)).status).toBe(404)
    expect((await webhook(delivery.address)).status).not.toBe(404)
    for (const [role, { adminAddress }] of [
      ['api', api],
      ['delivery', delivery],
    ] as const) {
      expect(await (await fetch(`${adminAddress}/readyz`)).text()).toBe('ready\n')
      const metrics = await (await fetch(`${adminAddress}/metrics`)).text()
      expect(metrics).toMatch(new RegExp(`^posthorn_node_info{node="\\d+",role="${role}"} 1$`, 'm'))
    }
    const authorization = `Bearer ${delivery.adminToken}`
    const nodes = await fetch(`${api.adminAddress}/admin/v1/nodes`, { headers: { authorization } })
    expect(await nodes.json()).toMatchObject({
      data: [
        { role: 'delivery', asked: false },
        { role: 'api', asked: true },
      ],
    })
  })
})
