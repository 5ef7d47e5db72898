/** Tokens in hook addresses: pages hide them from roles that cannot use them; logs, metrics and alarms always. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/operations/admin/endpoints.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

const TOKEN = 'S3CRET'

let world: SandboxWorld
let message: number
const tokens: Record<string, string> = {}
const ids: Record<string, string> = { account: '1' }

/** Hooks of every kind: those of messages fail, or answer 410; an inbound text was reported. */
beforeAll(async () => {
  world = await SandboxWorld.start()
  const hook = (name: string) => `${world.sink.address}/${name}?token=${TOKEN}-${name}`
  world.sink.answer = ({ path }) => ({ status: path.includes('/gone') ? 410 : 500 })
  const ask = async (method: string, path: string, body: object) => {
    const reply = await world.askAdmin(method, path, { body })
    expect([path, reply.status < 300 ? 200 : reply.body]).toEqual([path, 200])
    return reply.body
  }
  await ask('PATCH', '/accounts/1', { default_hook: hook('default') })
  await ask('PUT', '/inbound-numbers', { carrier: 'sandbox-sms', address: '77', account: 1, hook: hook('number') })
  await world.ask([{ type: 'hook/create', hook: hook('client') }])
  await world.box.smsc.write({ from: '37120000100', to: '77', text: 'Hello' })
  message = await world.sendOne(rcsItem('491701234500', { hook: hook('message') }))
  await world.sendOne(rcsItem('491701234501', { hook: hook('gone') }))
  for (let each = 0; each < 10; each += 1) await world.sendOne(rcsItem('491701234500', { hook: hook('message') }))
  await world.pass(120)
  for (const [user, role, account] of [
    ['ada', 'auditor', undefined],
    ['cleo', 'client-reader', 1],
  ] as const) {
    const added = await ask('POST', '/users', { user, role, ...(account === undefined ? {} : { account }) })
    tokens[role] = String((await ask('POST', `/users/${added['user']}/tokens`, { label: 'test' }))['token'])
  }
  ids['message'] = String(message)
  const { data } = (await world.askAdmin('GET', '/inbound-messages')).body as { data: { inbound: number }[] }
  ids['inbound'] = String(data[0]?.inbound)
})
afterAll(() => world.stop())

/** All that can be read without a further parameter. */
const PAGES = ENDPOINTS.filter(({ method, path }) => {
  return method === 'GET' && !/\{(?!account|message|inbound)/.test(path)
}).map(({ path }) => path)

test.each(['auditor', 'client-reader'])('every page that a user with the role %s reads hides them', async (role) => {
  const read: string[] = []
  for (const path of PAGES) {
    world.clock.advance(100)
    const address = path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? '')
    const { status, body } = await world.askAdmin('GET', address, { token: tokens[role] ?? '' })
    if (status !== 200) continue
    read.push(path)
    const shown = JSON.stringify(body).match(/.{0,80}S3CRET/)?.[0]
    expect([path, shown]).toEqual([path, undefined])
  }
  const pages = ['/inbound-numbers', '/inbound-messages/{inbound}', '/messages/{message}', '/accounts/{account}']
  expect(read).toEqual(expect.arrayContaining(pages))
})

test('a configuration that an auditor exported marks them, and is refused rather than applied', async () => {
  const { body } = await world.askAdmin('GET', '/configuration', { token: tokens['auditor'] ?? '' })
  const { accounts, inbound_numbers, ...rest } = body as Record<string, object[]>
  expect(JSON.stringify(accounts)).toContain('"<kept> http')
  // A sandbox has shorter lifetimes than accounts may get.
  const long = (accounts ?? []).map((account) => ({ ...account, step_lifetime_seconds: 3_600 }))
  for (const configuration of [{ accounts: long }, { inbound_numbers }]) {
    const { status, body: refused } = await world.askAdmin('PUT', '/configuration', { body: { configuration } })
    expect([status, refused['detail']]).toEqual([422, expect.stringMatching(/\[\d\]: (?:default_)?hook: must be/)])
  }
  const { body: applied } = await world.askAdmin('PUT', '/configuration', { body: { configuration: rest } })
  expect(applied).toMatchObject({ applied: true, difference: [] })
})

test('an operator, who changes hooks and sends reports again, sees them whole', async () => {
  const { body } = await world.askAdmin('GET', '/inbound-numbers')
  expect(JSON.stringify(body)).toContain(TOKEN)
})

test('log lines, metrics and alarms of failing and stopped hooks hide them', async () => {
  const { body } = await world.askAdmin('GET', '/alarms')
  expect(JSON.stringify(body)).toContain('hook_stopped')
  const metrics = await (await fetch(`${world.gateway.adminAddress}/metrics`)).text()
  const lines = JSON.stringify(world.log.lines)
  expect(lines).toContain('a hook keeps failing')
  for (const shown of [JSON.stringify(body), metrics, lines]) expect(shown).not.toContain(TOKEN)
})
