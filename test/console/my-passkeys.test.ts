/** Passkeys, with the virtual authenticator of Chromium: register, log in, prove identity, remove. */
import { expectAccessible, keepScreenshot, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

test('a user adds a passkey, logs in with it, and removes it', async () => {
  const gina = await world.addUser('gina', 'owner')
  const page = await browser.visit('/security', { user: gina, host: 'localhost' })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  })
  await page.getByText('No passkeys yet').waitFor()
  await page.getByLabel('Name of this device').fill('laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('cell', { name: 'laptop', exact: true }).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'passkeys')

  await page.getByRole('button', { name: 'User menu: gina' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await page.getByRole('button', { name: 'User menu: gina' }).click()
  await page.getByRole('menuitem', { name: 'My security' }).click()
  await page.getByRole('button', { name: 'Remove laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No passkeys yet').waitFor()
})
