/** Input that is not saved, things of the same name, and a gateway that stops answering, in the console. */
import { expect } from 'vitest'
import { test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

test('a tab with changes is not left without a question', async () => {
  const page = await browser.visit('/accounts/1?tab=settings', { user: await world.addUser('otto', 'operator') })
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Another name')
  await page.getByRole('tab', { name: 'Keys' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Your changes are not saved.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('Another name')
  await page.getByRole('tab', { name: 'Keys' }).click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await name.waitFor({ state: 'detached' })
})

test('a new carrier does not replace one of the same name', async () => {
  const page = await browser.visit('/carriers', { user: await world.addUser('ole', 'operator') })
  await page.getByRole('button', { name: 'Add carrier' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('sandbox-sms')
  await dialog.getByRole('button', { name: 'Add carrier' }).click()
  await dialog.getByText('carrier sandbox-sms exists already', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('a page says that the gateway does not answer, until it does', async () => {
  const page = await browser.visit('/carriers', { user: await world.addUser('olga', 'owner') })
  await page.getByRole('link', { name: 'sandbox-sms' }).waitFor()
  await page.route('**/admin/v1/**', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Routes' }).first().click()
  const notice = page.getByText(/The gateway has not answered since/)
  await notice.waitFor()
  await page.unrouteAll()
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'sandbox-sms' }).first().waitFor()
  browser.expectNoFaults(/ERR_CONNECTION_REFUSED/)
})
