/** An account's hooks, templates and traffic in the console, and how it is closed. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { look, TestBrowser, test } from './support/browser.ts'
import { ConsoleWorld } from './support/console-world.ts'

let world: ConsoleWorld
let browser: TestBrowser

beforeAll(async () => {
  world = await ConsoleWorld.start()
  browser = await TestBrowser.open(world)
})
afterEach(() => browser.expectNoFaults())
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

test('a secret is rotated and the old one retired; the default hook is set and listed with its state', async () => {
  const owner = await world.addUser('olga', 'owner')
  const page = await browser.visit('/accounts/1?tab=hooks', { user: owner })
  await page.getByLabel(/^Default hook/).fill('http://127.0.0.1:59999/reports')
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /127\.0\.0\.1:59999\/reports Default Running/ }).waitFor()
  await page.getByText('Reports are signed by one secret.').waitFor()
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  const secret = await dialog.getByRole('region', { name: 'Hook secret' }).innerText()
  expect(secret).toMatch(/^whsec_/)
  await look(page, 'account-hook-secret')
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByText('by the new secret and by the old one').waitFor()
  await look(page, 'account-hooks')
  await page.getByRole('button', { name: 'Retire old secret' }).click()
  await dialog.getByRole('button', { name: 'Retire old secret' }).click()
  await page.getByText('Reports are signed by one secret.').waitFor()
})

test('a template is recorded, and recorded as approved', async () => {
  const operator = await world.addUser('oscar', 'operator')
  const page = await browser.visit('/accounts/1?tab=templates', { user: operator, theme: 'dark' })
  await page.getByRole('button', { name: 'Record template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Sender').fill('ChatTest')
  await dialog.getByLabel('Text').fill('Your parcel {{1}} arrives on {{2}}.')
  await look(page, 'account-template-add-dark')
  await dialog.getByRole('button', { name: 'Record template' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Your parcel {{1}} arrives' })
  await row.getByText('New').waitFor()
  await row.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await row.getByText('Approved').waitFor()
  await look(page, 'account-templates-dark')
})

test('the overview shows the traffic of the account, and a missing key as a link to the keys', async () => {
  const operator = await world.addUser('otto', 'operator')
  await world.send({ type: 'sms', phone: 491701234500, sms_signature: 'SMSTest', sms_message: 'Hello' })
  const page = await browser.visit('/accounts/1', { user: operator, language: 'de' })
  await page.getByText('Zustellrate').waitFor()
  await look(page, 'account-overview-german')
  await page.getByRole('tab', { name: 'Hooks' }).click()
  const statistics = page.getByRole('table', { name: 'Statistik der Hooks' })
  await statistics.getByRole('row', { name: /127\.0\.0\.1.* 1 0 0 ≈/ }).waitFor({ timeout: 25_000 })
  await look(page, 'account-hook-statistics-german')

  const { body } = await world.askAdmin('POST', '/accounts', { name: 'Empty Shop' })
  const empty = await browser.visit(`/accounts/${body['account']}`, { user: operator })
  await empty.getByText('Requests are denied without a key or login that works.').waitFor()
  await look(empty, 'account-overview-empty')
  await empty.getByRole('link', { name: 'Issue a key' }).click()
  await empty.getByText('No keys yet').waitFor()
})

test('an account is suspended, and closed only by typing its name', async () => {
  const operator = await world.addUser('ole', 'operator')
  const { body } = await world.askAdmin('POST', '/accounts', { name: 'Leaving Shop' })
  const account = body['account'] as number
  const page = await browser.visit(`/accounts/${account}`, { user: operator })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await page.getByText('Suspended', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Close account' }).click()
  await look(page, 'account-close')
  expect(await dialog.getByRole('button', { name: 'Close account' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Type Leaving Shop to confirm').fill('Leaving Shop')
  await dialog.getByRole('button', { name: 'Close account' }).click()
  await page.getByText('Closed', { exact: true }).waitFor()
  expect((await world.askAdmin('GET', `/accounts/${account}`)).body['state']).toBe('closed')
})
