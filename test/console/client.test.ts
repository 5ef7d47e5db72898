/** Users of an account see that account, and nothing of how the operator serves it. */
import { expect } from 'vitest'
import { expectAccessible, expectFitsWidth, keepScreenshot, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

const CHAIN = {
  type: 'rcs+sms',
  rcs_signature: 'RCSTest',
  rcs_message: 'Your parcel is here.',
  sms_signature: 'SMSTest',
  sms_message: 'Your parcel is here.',
}

test('a reader of an account sees its traffic, messages and money', async () => {
  const [message] = await world.send({ ...CHAIN, phone: 491701234501 }, { ...CHAIN, phone: 491701234500 })
  const reader = await world.addUser('rita@1', 'client-reader', { account: 1 })
  const page = await browser.visit('/', { user: reader })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const entries = await page.getByRole('navigation').getByRole('link').allTextContents()
  expect(entries.slice(0, 6)).toEqual(['Overview', 'Messages', 'Statistics', 'Links', 'Bulks', 'Account'])
  expect(entries).not.toContain('Carriers')
  await expectAccessible(page)
  await keepScreenshot(page, 'client-overview')

  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await page.getByRole('tab', { name: 'Keys' }).click()
  await page.getByRole('cell').first().waitFor()
  expect(await page.getByRole('button', { name: /Issue|New key|Add key/ }).count()).toBe(0)
  await expectAccessible(page)
  await keepScreenshot(page, 'client-account')

  await page.getByRole('link', { name: 'Messages' }).click()
  await page.getByRole('cell', { name: 'DELIVERED' }).first().waitFor()
  await expectAccessible(page)
  const other = await browser.visit(`/messages/${message}`, { user: await reader2(), theme: 'dark', size: 'phone' })
  await other.getByText('DELIVERED').first().waitFor()
  expect(await other.locator('main').textContent()).not.toContain('sandbox-')
  await expectFitsWidth(other)
  await expectAccessible(other)
  await keepScreenshot(other, 'client-message-phone-dark')
})

test('another account and pages for operators are not found', async () => {
  const { body } = await world.askAdmin('POST', '/accounts', { name: 'Rival', currency: 'EUR' })
  const page = await browser.visit(`/accounts/${(body as { account: number }).account}`, { user: await reader2() })
  await page.getByRole('alert').waitFor()
  expect(await page.locator('body').textContent()).not.toContain('Rival')
})

test('an admin of an account adds a reader', async () => {
  const page = await browser.visit('/accounts/1?tab=keys', {
    user: await world.addUser('ada@1', 'client-admin', { account: 1 }),
  })
  await page.getByRole('button', { name: /key/i }).first().waitFor()
  await page.getByRole('link', { name: 'Team' }).click()
  await page.getByRole('button', { name: 'Add user' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User').fill('bob')
  expect(await dialog.getByRole('option').allTextContents()).toEqual(['Client admin', 'Client reader'])
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add user' }).click()
  await page.getByText('bob@1', { exact: true }).waitFor()
  expect(await page.locator('main').textContent()).not.toContain('sandbox')
  await expectAccessible(page)
})

let readers = 0

function reader2() {
  readers += 1
  return world.addUser(`r${readers}@1`, 'client-reader', { account: 1 })
}
