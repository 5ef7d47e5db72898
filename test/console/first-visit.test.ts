/** The first visit of an operator: log in, see the carriers, change the language, log out. */
import { expect } from 'vitest'
import { expectAccessible, expectFitsWidth, keepScreenshot, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

test('an operator logs in, sees the carriers, reads them in German and logs out', async () => {
  const anna = await world.addUser('anna', 'operator')
  const page = await browser.visit('/')
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'login')

  // With a space, as phones write after a completed word.
  await page.getByLabel('User').fill('anna ')
  await page.getByLabel('Password').fill('wrong')
  await page.getByLabel(/^Code/).fill('000000')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').getByText('user, password or code is wrong').waitFor()
  await page.getByLabel('Password').fill(anna.password)
  await page.getByLabel(/^Code/).fill(anna.code())
  await page.getByRole('button', { name: 'Log in' }).click()

  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByRole('cell', { name: 'sandbox-rcs' }).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'overview-empty')

  await page.getByRole('button', { name: 'User menu: anna' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Übersicht' }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('de')

  await page.getByRole('button', { name: 'Benutzermenü: anna' }).click()
  await page.getByRole('menuitem', { name: 'Abmelden' }).click()
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
})

test('a phone in the dark gets a drawer, and nothing scrolls sideways', async () => {
  const ben = await world.addUser('ben', 'auditor')
  const page = await browser.visit('/', { user: ben, theme: 'dark', size: 'phone' })
  await page.getByRole('cell', { name: 'sandbox-sms' }).waitFor()
  await expectFitsWidth(page)
  await expectAccessible(page)
  await keepScreenshot(page, 'overview-empty-phone-dark')
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('link', { name: 'Overview' }).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'drawer-phone-dark')
})
