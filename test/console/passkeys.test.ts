/**
 * Passkeys in a real browser, with its virtual authenticator: the answers of Chromium are those that the gateway
 * expects, under a host name that can have passkeys.
 */
import { afterAll, beforeAll, expect } from 'vitest'
import { TestBrowser, test } from './support/browser.ts'
import { ConsoleWorld } from './support/console-world.ts'

let world: ConsoleWorld
let browser: TestBrowser

beforeAll(async () => {
  world = await ConsoleWorld.start()
  browser = await TestBrowser.open(world)
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

/** A page asks the admin API, and the authenticator, as docs/reference/admin-api.md says. */
const IN_PAGE = `
  const ask = async (method, path, body) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch('/admin/v1' + path, { method, headers, body: body && JSON.stringify(body) })
    const text = await answer.text()
    return { status: answer.status, ...(text === '' ? {} : JSON.parse(text)) }
  }
  const present = async (path) => {
    const { options } = await ask('POST', path + '/challenge')
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const credential = (await navigator.credentials.get({ publicKey })).toJSON()
    return ask('POST', path, { credential, cookie: path === '/session/passkey' || undefined })
  }
  const register = async (name) => {
    const { options } = await ask('POST', '/me/passkeys/challenge')
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const credential = (await navigator.credentials.create({ publicKey })).toJSON()
    return ask('POST', '/me/passkeys', { name, credential })
  }
`

test('a passkey of Chromium is registered, logs in and proves a session', async () => {
  const page = await browser.visit('/')
  const address = new URL(world.console)
  await page.goto(`http://localhost:${address.port}/console/`)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, isUserVerified: true } })
  const run = (script: string) => page.evaluate(`(async () => { ${IN_PAGE} ${script} })()`)

  const token = new URL(world.sandbox.console).hash.replace('#sign-in=', '')
  expect(await run(`return ask('POST', '/session/link', { token: '${token}', cookie: true })`)).toMatchObject({
    user: 'sandbox',
  })
  expect(await run("return register('laptop')")).toMatchObject({ status: 200, name: 'laptop' })
  await run("return ask('DELETE', '/session')")
  expect(await run("return ask('GET', '/me')")).toMatchObject({ status: 401 })
  expect(await run("return present('/session/passkey')")).toMatchObject({ status: 200, user: 'sandbox' })
  expect(await run("return present('/session/proof/passkey')")).toMatchObject({ status: 200 })
  expect(await run("return ask('GET', '/me')")).toMatchObject({ user: 'sandbox', passkeys: 1 })
})
