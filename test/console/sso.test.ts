/** An operator signs in with the firm's account at a real OpenID provider, proves identity there, and signs out. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { TestIdentityProvider } from '../support/identity-provider.ts'
import { look, TestBrowser, test } from './support/browser.ts'
import { ConsoleWorld } from './support/console-world.ts'

const EMMA = { sub: 'e-1', name: 'emma', groups: ['posthorn-admins'] }

let provider: TestIdentityProvider
let world: ConsoleWorld
let browser: TestBrowser
beforeAll(async () => {
  provider = await TestIdentityProvider.start()
  world = await ConsoleWorld.start(provider.settings('posthorn-admins=owner'))
  provider.serve(new URL(world.console).origin)
  browser = await TestBrowser.open(world)
})
afterEach(() => browser.expectNoFaults(new RegExp(`^request to ${provider.issuer}/`)))
afterAll(async () => {
  await browser?.close()
  await world?.stop()
  await provider?.stop()
})

test('the button leads to the provider and back to the page that was asked for', async () => {
  provider.user = EMMA
  const page = await browser.visit('/carriers')
  const enter = page.getByRole('button', { name: 'Log in with Example Ltd' })
  await enter.waitFor()
  await look(page, 'login-sso')
  await enter.click()
  await page.getByRole('heading', { name: 'Carriers', level: 1 }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  await page.getByRole('button', { name: 'User menu: emma' }).waitFor()
  await page.goto(`${world.console}/security`)
  await page.getByText('You log in with the company account').waitFor()

  // A change of users needs a new sign-in, in a tab of its own, and goes on by itself.
  await world.forgetProof('emma')
  await page.goto(`${world.console}/team`)
  await page.getByRole('cell', { name: 'Company account' }).waitFor()
  await page.getByRole('button', { name: 'Add user' }).click()
  const form = page.getByRole('dialog', { name: 'Add a user' })
  await form.getByLabel('User').fill('karl')
  await form.getByRole('button', { name: 'Add user' }).click()
  const again = page
    .getByRole('dialog', { name: 'Confirm that it is you' })
    .getByRole('button', { name: 'Sign in again' })
  const [tab] = await Promise.all([page.context().waitForEvent('page'), again.click()])
  await tab.getByText('Confirmed. Close this tab').waitFor()
  await page.getByRole('cell', { name: 'karl', exact: true }).waitFor()

  await page.getByRole('button', { name: 'User menu: emma' }).click()
  await Promise.all([
    page.waitForURL((address) => address.href.startsWith(`${provider.issuer}/session/end`)),
    page.getByRole('menuitem', { name: 'Log out' }).click(),
  ])
  await page.goto(world.console)
  await enter.waitFor()
})

test('a refusal is said, in German on a phone, and leads back to the login', async () => {
  provider.user = { ...EMMA, sub: 'e-2', groups: [] }
  const page = await browser.visit('/', { size: 'phone', language: 'de' })
  await page.getByRole('button', { name: 'Mit Example Ltd anmelden' }).click()
  await page.getByText('none of your groups has a role here').waitFor()
  await look(page, 'login-sso-refused')
  await page.getByRole('link', { name: 'Zurück zur Anmeldung' }).click()
  await page.getByRole('button', { name: 'Mit Example Ltd anmelden' }).waitFor()
})
