/** Accounts in the console: create one that can send, change its settings, issue and revoke its keys. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole({ apis: 'json,rest,xml,query' })

async function addAccount(name: string): Promise<number> {
  const { body } = await world.askAdmin('POST', '/accounts', { name })
  return body['account'] as number
}

/** Sends operations with a key, as the client of the account would. */
async function askAs(key: string, ...data: readonly object[]) {
  const response = await fetch(`${world.sandbox.address}/api/json.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: key, data }),
  })
  return (await response.json()) as { readonly success: boolean; readonly data?: readonly { data: object }[] }
}

test('an owner creates an account that can send', async () => {
  const owner = await world.addUser('olga', 'owner')
  const page = await browser.visit('/accounts', { user: owner })
  await page.getByRole('link', { name: 'New account' }).click()
  // The list behind it has a box whose label begins in the same way.
  await page.getByRole('button', { name: 'Create account' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Blumen Müller GmbH & Co. KG')
  await look(page, 'account-new')
  await page.getByRole('button', { name: 'Create account' }).click()

  await page.getByRole('heading', { name: 'Add money' }).waitFor()
  await page.getByLabel('Amount in EUR').fill('1,000')
  await page.getByRole('button', { name: 'Add money' }).click()
  await page.getByText('Write the amount with a decimal point').waitFor()
  await page.getByLabel('Amount in EUR').fill('1000')
  await look(page, 'account-new-money')
  await page.getByRole('button', { name: 'Add €1,000.00' }).click()

  await page.getByRole('heading', { name: 'Approve a sender' }).waitFor()
  await page.getByLabel('Sender name').fill('Blumen')
  await page.getByRole('button', { name: 'Approve sender' }).click()
  await page.getByText('Approved', { exact: true }).waitFor()
  await look(page, 'account-new-sender')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Issue key' }).click()

  await page.getByRole('heading', { name: 'What the client gets' }).waitFor()
  await look(page, 'account-new-ready')
  const key = await page.getByRole('region', { name: 'API key' }).innerText()
  const curl = await page.getByRole('region', { name: 'Send the first message' }).innerText()
  expect(curl).toContain(`${world.sandbox.address}/api/json.php`)
  const request = JSON.parse(/-d '(.*)'$/s.exec(curl)?.[1] ?? '{}')
  expect(request.auth).toBe(key)
  expect(await askAs(key, ...request.data)).toMatchObject({ success: true, data: [{ success: true }] })

  await page.getByRole('link', { name: 'Open the account' }).click()
  await page.getByRole('heading', { name: 'Blumen Müller GmbH & Co. KG' }).waitFor()
  await page.getByText(/Blumen \(SMS\)/).waitFor()
  await look(page, 'account-overview')
})

test('an operator changes settings after seeing the differences; a wrong value is refused at its field', async () => {
  const operator = await world.addUser('oscar', 'operator')
  const account = await addAccount('Settings Shop')
  const page = await browser.visit(`/accounts/${account}?tab=settings`, { user: operator })
  await page.getByText('Nothing is changed yet.').waitFor()
  await page.getByLabel(/^Default hook/).fill('not an address')
  await page.getByLabel(/^Operations per second/).fill('200')
  await page.getByLabel('Transliterate SMS').click()
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('row', { name: 'Operations per second none 200' }).waitFor()
  await look(page, 'account-settings-review')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.locator('input[name=default_hook][aria-invalid=true]').waitFor()
  expect(await page.getByLabel(/^Operations per second/).inputValue()).toBe('200')
  await look(page, 'account-settings')

  await page.getByLabel(/^Default hook/).fill('feed:')
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('The settings are saved').waitFor()
  const { body } = await world.askAdmin('GET', `/accounts/${account}`)
  expect(body).toMatchObject({ default_hook: 'feed:', operations_per_second: 200, transliterate_sms: true })
})

test('a change made by another operator in the meantime is not overwritten', async () => {
  const operator = await world.addUser('otto', 'operator')
  const account = await addAccount('Busy Shop')
  const page = await browser.visit(`/accounts/${account}?tab=guards`, { user: operator })
  await page.getByLabel(/^Messages and calls per day/).fill('500')
  await world.askAdmin('PATCH', `/accounts/${account}`, { daily_messages: 900 })
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('alert').getByText('Another user has changed this.').waitFor()
  expect((await world.askAdmin('GET', `/accounts/${account}`)).body['daily_messages']).toBe(900)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Nothing is changed yet.').waitFor()
  expect(await page.getByLabel(/^Messages and calls per day/).inputValue()).toBe('900')
})

test('a key is issued with few scopes, rotated and revoked', async () => {
  const owner = await world.addUser('kim', 'owner')
  const account = await addAccount('Key Shop')
  const page = await browser.visit(`/accounts/${account}?tab=keys`, { user: owner })
  await page.getByText('No keys yet').waitFor()
  await page.getByRole('button', { name: 'Issue key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('reader')
  for (const scope of ['Send messages', 'One-time passwords and calls', 'Manage hooks', 'Look up numbers']) {
    await dialog.getByLabel(scope).click()
  }
  await look(page, 'account-key-issue')
  await dialog.getByRole('button', { name: 'Issue key' }).click()
  const first = await dialog.getByRole('region', { name: 'API key' }).innerText()
  await look(page, 'account-key-issued')
  expect(await askAs(first, { type: 'balance' })).toMatchObject({ success: true })
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'I have copied it' }).click()

  await page.getByRole('button', { name: 'Actions for the key reader' }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  await dialog.getByLabel('The old key works for').selectOption('No longer: it ends at once')
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  const second = await dialog.getByRole('region', { name: 'API key' }).innerText()
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  expect(await askAs(first, { type: 'balance' })).toMatchObject({ success: false })
  expect(await askAs(second, { type: 'balance' })).toMatchObject({ success: true })
  await look(page, 'account-keys')

  const row = page.getByRole('row').filter({ hasNotText: 'Expired' }).filter({ hasText: 'reader' })
  await row.getByRole('button', { name: 'Actions for the key reader' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await dialog.getByLabel('Type reader to confirm').fill('reader')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The key reader is revoked').waitFor()
  expect(await askAs(second, { type: 'balance' })).toMatchObject({ success: false })
})

test('a key is narrowed to a network and a rate, and gets a priority, which the gateway then applies', async () => {
  const owner = await world.addUser('kira', 'owner')
  const account = await addAccount('Narrow Shop')
  const page = await browser.visit(`/accounts/${account}?tab=keys`, { user: owner })
  await page.getByRole('button', { name: 'Issue key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('office')
  await dialog.getByLabel(/^Networks/).fill('office')
  await dialog.getByRole('button', { name: 'Issue key' }).click()
  await dialog.getByText(/must be a network such as/).waitFor()
  await dialog.getByLabel(/^Networks/).fill('127.0.0.0/8, 192.0.2.0/24')
  await dialog.getByLabel(/^Operations per second/).fill('50')
  await dialog.getByRole('button', { name: 'Issue key' }).click()
  const key = await dialog.getByRole('region', { name: 'API key' }).innerText()
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByText('127.0.0.0/8, 192.0.2.0/24, 50 a second').waitFor()
  expect(await askAs(key, { type: 'balance' })).toMatchObject({ success: true })

  await page.getByRole('button', { name: 'Actions for the key office' }).click()
  await page.getByRole('menuitem', { name: 'Change rights' }).click()
  expect(await dialog.getByLabel(/^Operations per second/).inputValue()).toBe('50')
  await dialog.getByLabel(/^Networks/).fill('192.0.2.0/24')
  await dialog.getByLabel(/^Operations per second/).fill('')
  await dialog.getByLabel(/^Priority/).selectOption('Codes first')
  await look(page, 'account-key-rights')
  await dialog.getByRole('button', { name: 'Save rights' }).click()
  await page.getByText('The rights of office are changed').waitFor()
  await page.getByText('192.0.2.0/24, Codes first').waitFor()
  expect(await askAs(key, { type: 'balance' })).toMatchObject({ success: false, error: 'Access denied' })
})

test('the keys of an account stand beside the APIs that are on, each with a command that works', async () => {
  const owner = await world.addUser('karl', 'owner')
  const account = await addAccount('API Shop')
  const { body } = await world.askAdmin('POST', `/accounts/${account}/keys`, { name: 'server' })
  const page = await browser.visit(`/accounts/${account}?tab=keys`, { user: owner })
  for (const name of ['JSON', 'REST', 'XML', 'Query']) {
    await page.getByRole('heading', { name, exact: true }).waitFor()
    const command = await page.getByRole('region', { name, exact: true }).innerText()
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('<API_KEY>', String(body['key']))])
    expect([name, stdout]).toEqual([name, expect.stringMatching(/EUR|balance:0/)])
  }
  await look(page, 'account-apis')
})

test('many accounts are searched by the server; a reader on a phone may change nothing', async () => {
  const auditor = await world.addUser('ada', 'auditor')
  for (let number = 1; number <= 60; number += 1) await addAccount(`Customer ${number} with a rather long name Ltd.`)
  const page = await browser.visit('/accounts', { user: auditor, theme: 'dark', size: 'phone' })
  await page.getByText('50 rows').waitFor()
  const name = page.getByRole('cell', { name: /^Customer 1 / })
  expect((await name.boundingBox())?.width).toBeGreaterThan(160)
  await look(page, 'accounts-phone-dark')
  expect(await page.getByRole('link', { name: 'New account' }).count()).toBe(0)
  await page.getByLabel('Name or number').fill('customer 60')
  await page.getByLabel('Name or number').press('Enter')
  await page.getByRole('link', { name: /^Customer 1 / }).waitFor({ state: 'detached' })
  expect(await page.getByRole('link', { name: /^Customer/ }).count()).toBe(1)
  expect(new URL(page.url()).searchParams.get('search')).toBe('customer 60')
  await page.getByRole('link', { name: /^Customer 60/ }).click()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByText('Your role may read these settings').waitFor()
  await look(page, 'account-settings-phone-dark')
})
