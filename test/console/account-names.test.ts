/** Accounts are chosen and shown by their names: in dialogs, above lists and in their rows. */
import { beforeAll, expect } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { chooseAccount, look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

beforeAll(async () => {
  await world.askAdmin('POST', '/accounts', { name: 'Blumenhandel Lindenthal', currency: 'EUR' })
  await world.askAdmin('PATCH', '/accounts/2', { reports_per_post: 7 })
  const sms = (phone: number) => ({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Hello' })
  await world.send(sms(491_701_230_020), sms(491_701_230_021), sms(491_701_230_022))
  await eventually('the messages to be counted', async () => {
    const { body } = await world.askAdmin('GET', '/statistics?by=none')
    return (body['data'] as readonly { readonly delivered: number }[])[0]?.delivered === 3
  })
})

test('a user of an account is added by the name of the account', async () => {
  const page = await browser.visit('/team', { user: await world.addUser('olga', 'owner') })
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User').fill('dora')
  await dialog.getByLabel('Role').selectOption('client-reader')
  await chooseAccount(dialog, 'Account', 'Blumenhandel Lindenthal')
  await look(page, 'team-add')
  await dialog.getByRole('button', { name: 'Add user' }).click()
  const row = page.getByRole('row', { name: /dora@2/ })
  await row.getByText('Blumenhandel Lindenthal · 2').waitFor()
})

test('the messages of a page name their accounts by one request', async () => {
  const page = await browser.visit('/messages', { user: await world.addUser('sara', 'support') })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/account-names')) asked.push(new URL(request.url()).search)
  })
  await page.reload()
  await page.getByRole('cell', { name: 'Sandbox · 1' }).first().waitFor()
  expect(await page.getByRole('cell', { name: 'Sandbox · 1' }).count()).toBe(3)
  expect(asked).toEqual(['?accounts=1'])
  await page.getByRole('button', { name: 'More filters' }).click()
  await chooseAccount(page, 'All accounts', 'Blumenhandel Lindenthal')
  await page.getByRole('cell', { name: 'Sandbox · 1' }).first().waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('account')).toBe('2')
  await look(page, 'messages-of-account')
})

test('statistics and the audit log name accounts', async () => {
  const page = await browser.visit('/statistics?by=account', { user: await world.addUser('anna', 'owner') })
  await page.getByRole('row', { name: /^Sandbox · 1 3 3 3/ }).waitFor()
  await page.getByRole('link', { name: 'Sandbox · 1' }).waitFor()
  await page.goto(`${world.console}/audit`)
  await page.getByRole('cell', { name: 'account Blumenhandel Lindenthal · 2', exact: true }).waitFor()
  await look(page, 'audit-names')
})
