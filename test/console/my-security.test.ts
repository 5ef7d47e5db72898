/** A user's own security: a one-time link, a first password and codes, the next login, a search, a proof. */
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible, expectFitsWidth, keepScreenshot, look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

async function signInLink(user: string): Promise<string> {
  await world.askAdmin('POST', '/users', { user, role: 'owner' })
  return world.signInLink(user)
}

/** Reads the key that the page shows, as an authenticator app does. */
async function codesOf(page: Page): Promise<TOTP> {
  const key = await page.getByText(/^[A-Z2-7]{32}$/).textContent()
  return new TOTP({ secret: Secret.fromBase32(key ?? '') })
}

test('a new owner sets password and codes after a link, and logs in with both', async () => {
  const path = await signInLink('clara')
  const page = await browser.visit(path)
  const prompt = page.getByRole('dialog', { name: 'Set up how you log in' })
  await prompt.waitFor()
  expect(page.url()).not.toContain('sign-in')
  await look(page, 'set-up-prompt')
  await prompt.getByRole('button', { name: 'Later' }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await prompt.count()).toBe(0)
  await page.getByRole('button', { name: 'User menu: clara' }).click()
  await page.getByRole('menuitem', { name: 'My security' }).click()
  await page.getByRole('heading', { name: 'My security' }).waitFor()
  await expectAccessible(page)
  await page.getByLabel('New password', { exact: true }).fill('a long enough password')
  await page.getByLabel('New password again').fill('another password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('differs from the new password').waitFor()
  await page.getByLabel('New password again').fill('a long enough password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('A password is set.').waitFor()

  await page.getByRole('button', { name: 'Set up codes' }).click()
  const codes = await codesOf(page)
  await expectAccessible(page)
  await keepScreenshot(page, 'security')
  await page.getByLabel('Code that the app shows now').fill(codes.generate())
  await page.getByLabel('Current password').last().fill('a long enough password')
  await page.getByRole('button', { name: 'Turn on codes' }).click()
  await page.getByText('Codes are set up.', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'User menu: clara' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByLabel('User').fill('clara')
  await page.getByLabel('Password').fill('a long enough password')
  // The code of the present step was used to turn codes on.
  await page.getByLabel(/^Code/).fill(codes.generate({ timestamp: Date.now() + 30_000 }))
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

test('a link works once, and the login page says so', async () => {
  const path = await signInLink('dora')
  const first = await browser.visit(path)
  // It leads to the page that ends the need for links.
  await first.getByRole('button', { name: 'Set it up now' }).click()
  await first.getByRole('heading', { name: 'My security' }).waitFor()
  const second = await browser.visit(path)
  await second.getByText('This link was used before or has expired.').waitFor()
})

test('a link of another user asks before it replaces the session', async () => {
  const hanna = await world.addUser('hanna', 'owner')
  const page = await browser.visit(await signInLink('gerd'), { user: hanna })
  await page.getByText('This link logs you in as gerd, and logs hanna out').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Stay logged in as hanna' }).click()
  await page.getByRole('button', { name: 'User menu: hanna' }).waitFor()

  const again = await browser.visit(await signInLink('ida'), { user: hanna })
  await again.getByRole('button', { name: 'Continue as ida' }).click()
  await again.getByRole('button', { name: 'Later' }).click()
  await again.getByRole('button', { name: 'User menu: ida' }).waitFor()
})

test('a wrong code, a wrong password and a used code leave the session and the form as they are', async () => {
  const jana = await world.addUser('jana', 'owner')
  const page = await browser.visit('/team', { user: jana })
  await world.forgetProof('jana')
  await page.getByRole('button', { name: 'Add user' }).click()
  const form = page.getByRole('dialog', { name: 'Add a user' })
  await form.getByLabel('User').fill('karl')
  await form.getByRole('button', { name: 'Add user' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  const used = jana.code()
  const confirm = async (password: string, code: string) => {
    await proof.getByLabel('Password').fill(password)
    await proof.getByLabel(/^Code/).fill(code)
    await proof.getByRole('button', { name: 'Confirm' }).click()
  }
  for (const [password, code] of [
    [jana.password, '000000'],
    ['a wrong password', used],
    [jana.password, '999999'],
  ] as const) {
    await confirm(password, code)
    await proof.getByText('password or code is wrong').waitFor()
    await page.waitForFunction(`document.querySelector('input[name=code]').value === ''`)
  }
  await expectAccessible(page)
  await look(page, 'wrong-proof')
  await confirm(jana.password, used)
  await proof.waitFor({ state: 'hidden' })
  await page.getByRole('cell', { name: 'karl', exact: true }).waitFor()
})

test('a wrong current password leaves the session as it is', async () => {
  const lara = await world.addUser('lara', 'support')
  const page = await browser.visit('/security', { user: lara })
  await page.getByLabel('New password', { exact: true }).fill('a long enough password')
  await page.getByLabel('New password again').fill('a long enough password')
  await page.getByLabel('Current password').fill('a wrong password')
  await page.getByLabel('Current code from your authenticator app').fill('000000')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('password or code is wrong').waitFor()
  expect(await page.getByLabel('New password', { exact: true }).inputValue()).toBe('a long enough password')
})

test('a session that has ended leads to the login, which says so, and back', async () => {
  const mira = await world.addUser('mira', 'support')
  const page = await browser.visit('/security', { user: mira })
  await page.getByRole('heading', { name: 'My security' }).waitFor()
  const [session] = (await world.sandbox.gateway.store.loadDirectory()).adminTokens.filter(
    ({ user }) => user === 'mira',
  )
  await world.askAdmin('DELETE', `/users/mira/tokens/${encodeURIComponent(session?.label ?? '')}`)
  await page.getByRole('link', { name: 'Messages' }).first().click()
  await page.getByText('Your session has ended. Log in again.').waitFor()
  await expectAccessible(page)
  await look(page, 'session-ended')
  await page.getByLabel('User').fill('mira')
  await page.getByLabel('Password').fill(mira.password)
  await page.getByLabel(/^Code/).fill(mira.code())
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Messages' }).waitFor()
})

test('a deep link leads back to its page after the login', async () => {
  const emil = await world.addUser('emil', 'owner')
  const page = await browser.visit('/security')
  await page.getByLabel('User').fill('emil')
  await page.getByLabel('Password').fill(emil.password)
  await page.getByLabel(/^Code/).fill(emil.code())
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'My security' }).waitFor()
  expect(await page.title()).toBe('My security · Posthorn')
})

test('the keyboard opens the search and the list of shortcuts', async () => {
  const fred = await world.addUser('fred', 'support')
  const page = await browser.visit('/security', { user: fred, size: 'phone', theme: 'dark' })
  await page.getByRole('heading', { name: 'My security' }).waitFor()
  await expectFitsWidth(page)
  await expectAccessible(page)
  await keepScreenshot(page, 'security-phone-dark')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search' }).fill('refund')
  await page.getByRole('option', { name: 'Messages' }).waitFor()
  await page.getByRole('combobox', { name: 'Search' }).fill('over')
  await page.getByRole('option', { name: 'Overview' }).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'search-phone-dark')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.waitForFunction('document.activeElement.tagName === "H1"')
})
