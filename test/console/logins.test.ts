/** Logins in the console: added with a password that is shown once, changed and removed; and who may. */
import { expect } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { buildLogin } from '../support/build-message.ts'
import { SmppClient } from '../support/smpp-client.ts'
import { look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole({ apis: 'json,smpp', 'smpp-port': '0' })

const KEYS = '/accounts/1?tab=keys'
const stored = async (name: string) => {
  const { body } = await world.askAdmin('GET', '/accounts/1/logins')
  return (body['data'] as readonly { readonly name: string }[]).find((login) => login.name === name)
}

test('the SMPP connections of logins appear while they last', async () => {
  const { gateway } = world.sandbox
  await gateway.store.change({ kind: 'set client login', login: buildLogin({ name: 'wholesale' }) })
  await gateway.refresh()
  const page = await browser.visit(KEYS, { user: await world.addUser('boris', 'owner') })
  const card = page.getByRole('region', { name: 'SMPP connections now' })
  await page.getByText('No login is connected').waitFor()
  const client = new SmppClient(gateway.smppPort)
  await client.bind('wholesale', 'bind_transmitter')
  await card.getByText('wholesale').waitFor()
  await card.getByText('127.0.0.1').waitFor()
  await card.getByText('Sends').first().waitFor()
  await look(page, 'logins-connected')
  client.close()
  await page.getByText('No login is connected').waitFor()
  await gateway.store.change({ kind: 'remove client login', accountId: toAccountId(1), name: 'wholesale' })
  await gateway.refresh()
})

test('a login is added with a password that is shown once, changed and removed', async () => {
  const page = await browser.visit(KEYS, { user: await world.addUser('lola', 'owner') })
  await page.getByText('No logins yet').waitFor()
  await page.getByRole('button', { name: 'Add login' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('billing')
  await dialog.getByLabel('Sent as').fill('rcs+sms')
  await dialog.getByLabel(/^Sender/).fill('SMSTest')
  await dialog.getByLabel(/^SMPP connections/).fill('two')
  await dialog.getByRole('button', { name: 'Add login' }).click()
  await dialog.getByText('must be a whole number without separators').waitFor()
  await dialog.getByLabel(/^SMPP connections/).fill('2')
  await look(page, 'login-add')
  await dialog.getByRole('button', { name: 'Add login' }).click()
  expect(await dialog.getByRole('region', { name: 'Password' }).innerText()).toMatch(/^[a-zA-Z2-9]{16}$/)
  await look(page, 'login-added')
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByText('2 connections, window 100').waitFor()

  await page.getByRole('button', { name: 'Actions for the login billing' }).click()
  await page.getByRole('menuitem', { name: 'Change' }).click()
  await dialog.getByLabel(/^Messages per second/).fill('20')
  await dialog.getByLabel(/^Priority/).selectOption('Bulk, last')
  await dialog.getByLabel(/^Signing key/).fill('v1,whsec_c2VjcmV0LW9mLTI0LWJ5dGVzLWhlcmU=')
  await dialog.getByLabel(/^Take messages of the same/).check()
  await dialog.getByRole('button', { name: 'Save login' }).click()
  await page.getByText('20 a second').waitFor()
  expect(await stored('billing')).toMatchObject({
    type: 'rcs+sms',
    sender: 'SMSTest',
    max_binds: 2,
    per_second: 20,
    priority: 'bulk',
    once_by_reference: true,
    signs: true,
  })
  await look(page, 'logins')

  await page.getByRole('button', { name: 'Actions for the login billing' }).click()
  await page.getByRole('menuitem', { name: 'Change' }).click()
  await dialog.getByLabel('Remove the signing key').check()
  await dialog.getByLabel(/^Messages per second/).fill('')
  await dialog.getByRole('button', { name: 'Save login' }).click()
  await page.getByText('20 a second').waitFor({ state: 'detached' })
  expect(await stored('billing')).toMatchObject({ signs: false, per_second: null, max_binds: 2 })

  await page.getByRole('button', { name: 'Actions for the login billing' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await dialog.getByLabel('Type billing to confirm').fill('billing')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The login billing is removed').waitFor()
  expect(await stored('billing')).toBeUndefined()
})

test('a short password needs networks, and a login with both opens without showing it', async () => {
  const page = await browser.visit(KEYS, { user: await world.addUser('lars', 'owner') })
  await page.getByRole('button', { name: 'Add login' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('old-kannel')
  await dialog.getByLabel(/^Password/).fill('short')
  await dialog.getByLabel(/^Signing key/).waitFor()
  await dialog.getByRole('button', { name: 'Add login' }).click()
  await dialog.getByText('required for a password shorter than 12 characters').waitFor()
  await dialog.getByLabel(/^Networks/).fill('192.0.2.0/24, 2001:db8::/32')
  await dialog.getByRole('button', { name: 'Add login' }).click()
  await page.getByText('192.0.2.0/24, 2001:db8::/32').waitFor()
  expect(await dialog.count()).toBe(0)
})

test('a reader sees logins in German and on a phone, and changes none', async () => {
  await world.askAdmin('POST', '/accounts/1/logins', { name: 'seen', test: true })
  const user = await world.addUser('rita@1', 'client-reader', { account: 1 })
  const page = await browser.visit(KEYS, { user, language: 'de', size: 'phone', theme: 'dark' })
  await page.getByText('seen', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Login hinzufügen' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Aktionen für den Login seen' }).count()).toBe(0)
  await look(page, 'logins-phone-dark')
})
