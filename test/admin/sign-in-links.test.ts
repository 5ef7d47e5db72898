/** Links that sign a user in to the console: the sandbox's, and those of the command. */
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'
import { plainRequest } from '../support/plain-request.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
  await world.askAdmin('POST', '/users', { body: { user: 'ödön b.', role: 'finance' } })
})
afterAll(() => world.stop())

const tokenOf = (link: string) => new URL(link, 'http://127.0.0.1').hash.replace('#sign-in=', '')
async function linkFor(user: string): Promise<string> {
  const { body } = await world.askAdmin('POST', `/users/${encodeURIComponent(user)}/sign-in-links`)
  return tokenOf(String(body['path']))
}
const logIn = (token: string, { site = 'same-origin', adminAddress = world.gateway.adminAddress } = {}) =>
  plainRequest(adminAddress, '/admin/v1/session/link', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': site },
    body: JSON.stringify({ token, cookie: true }),
  })
const cookieIn = (answer: Awaited<ReturnType<typeof logIn>>) => answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
async function whoIs(cookie: string): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await plainRequest(world.gateway.adminAddress, '/admin/v1/me', { headers: { cookie } })
  return JSON.parse(body)
}

describe('the link of the sandbox', () => {
  test('opens a session of its owner once, which needs no proof: there is nothing to prove with', async () => {
    const { console: link } = world
    const { port } = new URL(world.gateway.adminAddress)
    expect(link.startsWith(`http://localhost:${port}/console/#sign-in=`)).toBe(true)
    const answer = await logIn(tokenOf(link))
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { user: 'sandbox', expires_at: expect.any(String) }])
    expect(await whoIs(cookieIn(answer))).toMatchObject({ user: 'sandbox', role: 'owner', proved_until: null })
    expect((await logIn(tokenOf(link))).status).toBe(401)
  })
})

describe('a link of an owner', () => {
  test('signs in the user that it was made for, also one whose name is not ASCII', async () => {
    const answer = await logIn(await linkFor('ödön b.'))
    expect(await whoIs(cookieIn(answer))).toMatchObject({ user: 'ödön b.' })
  })

  test('signs in no other user, and expires after ten minutes', async () => {
    const token = await linkFor('sandbox')
    const other = [Buffer.from('ödön b.').toString('base64url'), token.split('.')[1]].join('.')
    expect((await logIn(other)).status).toBe(401)
    world.clock.advance(600_000)
    expect((await logIn(token)).status).toBe(401)
  })

  test('is not used up by a page of another site', async () => {
    const token = await linkFor('sandbox')
    expect((await logIn(token, { site: 'cross-site' })).status).toBe(403)
    expect((await logIn(token)).status).toBe(200)
  })

  test('signs in no disabled user, and cannot be made for an unknown user', async () => {
    await world.askAdmin('POST', '/users', { body: { user: 'ben', role: 'support' } })
    const token = await linkFor('ben')
    await world.askAdmin('PATCH', '/users/ben', { body: { state: 'disabled' } })
    expect((await logIn(token)).status).toBe(401)
    expect((await world.askAdmin('POST', '/users/carl/sign-in-links')).status).toBe(404)
  })

  test('is void once the user’s access was revoked, also after the user is active again', async () => {
    await world.askAdmin('POST', '/users', { body: { user: 'vera', role: 'support' } })
    const disabled = await linkFor('vera')
    for (const state of ['disabled', 'active']) await world.askAdmin('PATCH', '/users/vera', { body: { state } })
    expect((await logIn(disabled)).status).toBe(401)
    const [removed, sandboxs] = [await linkFor('vera'), await linkFor('sandbox')]
    expect((await world.askAdmin('DELETE', '/users/vera/codes')).status).toBe(204)
    expect([(await logIn(removed)).status, (await logIn(sandboxs)).status]).toEqual([401, 200])
    expect((await logIn(await linkFor('vera'))).status).toBe(200)
  })

  test('is made by owners alone, and the audit log shows for whom, never the token', async () => {
    await world.askAdmin('POST', '/users', { body: { user: 'olga', role: 'operator' } })
    const { body } = await world.askAdmin('POST', '/users/olga/tokens', { body: { label: 'l' } })
    const asked = await world.askAdmin('POST', '/users/sandbox/sign-in-links', { token: String(body['token']) })
    expect(asked.status).toBe(403)
    const token = await linkFor('olga')
    const { body: log } = await world.askAdmin('GET', '/audit')
    expect(JSON.stringify(log)).toContain('sign-in link of user olga')
    expect(JSON.stringify(log)).not.toContain(token.split('.')[1])
  })

  test('asks for a proof after ten minutes of a user who has one to give', async () => {
    await world.askAdmin('POST', '/users', { body: { user: 'anna', role: 'operator' } })
    const first = await linkFor('anna')
    const headers = { cookie: cookieIn(await logIn(first)), 'sec-fetch-site': 'same-origin' }
    const ask = async (method: string, path: string, body: object) => {
      const address = `${world.gateway.adminAddress}/admin/v1${path}`
      const json = { 'content-type': 'application/json', origin: world.gateway.adminAddress, ...headers }
      const answer = await fetch(address, { method, headers: json, body: JSON.stringify(body) })
      const text = await answer.text()
      return text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>)
    }
    const password = 'correct horse battery'
    await ask('PUT', '/me/password', { password })
    const secret = String((await ask('POST', '/me/codes', {}))['secret'])
    const code = new TOTP({ secret }).generate({ timestamp: world.clock.now() })
    await ask('PUT', '/me/codes', { secret, code, current_password: password })
    const again = cookieIn(await logIn(await linkFor('anna')))
    const until = new Date(world.clock.now() + 600_000).toISOString()
    expect(await whoIs(again)).toMatchObject({ password: true, codes: true, proved_until: until })
  })

  test('for another owner is made by a session, never by a token, which would become that owner', async () => {
    await world.askAdmin('POST', '/users', { body: { user: 'rita', role: 'owner' } })
    const refused = await world.askAdmin('POST', '/users/rita/sign-in-links')
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining('log in') } })
    const headers = {
      ...{ cookie: cookieIn(await logIn(await linkFor('sandbox'))), 'content-type': 'application/json' },
      ...{ 'sec-fetch-site': 'same-origin', origin: world.gateway.adminAddress },
    }
    const address = `${world.gateway.adminAddress}/admin/v1/users/rita/sign-in-links`
    const made = await fetch(address, { method: 'POST', headers, body: '{}' })
    const { path } = (await made.json()) as { readonly path: string }
    expect(await whoIs(cookieIn(await logIn(tokenOf(path))))).toMatchObject({ user: 'rita', role: 'owner' })
  })

  test('makes an address that guesses it wait in the end', async () => {
    await using guessed = await SandboxWorld.start()
    const statuses = new Set<number>()
    const { adminAddress } = guessed.gateway
    for (let tries = 0; tries < 30; tries += 1) {
      statuses.add((await logIn('c2FuZGJveA.wrong', { adminAddress })).status)
    }
    expect([...statuses]).toEqual([401, 429])
  })
})

describe('posthorn console', () => {
  test('prints a link for the only owner, on this machine', async () => {
    const line = new CommandLine()
    try {
      const run = (words: string) => line.run(words.split(' '))
      expect(await run('console')).toMatchObject({ exitCode: 2, err: expect.stringContaining('posthorn user add') })
      await run('user add --user anna --role owner')
      const { user, link } = await line.ask('console --admin-port 9000'.split(' '))
      expect([user, link]).toEqual(['anna', expect.stringMatching(/^http:\/\/localhost:9000\/console\/#sign-in=\S+$/)])
      await run('user add --user ben --role owner')
      expect(await run('console')).toMatchObject({ exitCode: 2, err: expect.stringContaining('there are 2 owners') })
      const named = await run('console --user ben --console-origin https://console.example.com')
      expect(named.out).toMatch(/^https:\/\/console\.example\.com\/console\/#sign-in=/)
    } finally {
      line.close()
    }
  })
})
