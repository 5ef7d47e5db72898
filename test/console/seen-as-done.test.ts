/**
 * What an operator who has not read the documentation must be able to do in the sandbox, by what is on the screen: find
 * why a message was late, what it cost, and send its report again; create an account that can send; read the delivery
 * rate of one mobile operator.
 */
import { beforeAll, expect, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { keepScreenshot, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const TEXT = 'Your parcel arrives today: https://shop.example/parcels/17'
const CHAIN = {
  type: 'rcs+chatapp+sms',
  rcs_signature: 'RCSTest',
  rcs_message: TEXT,
  rcs_lifetime: 2,
  chatapp_type: 'text',
  chatapp_signature: 'ChatTest',
  chatapp_message: TEXT,
  sms_signature: 'SMSTest',
  sms_message: TEXT,
}
const MESSAGES = 150
const LATE = 491_701_234_505
/** A loaded machine may be slow. */
const PATIENCE = { timeout: 60_000 }

const { world, browser } = await openConsole()

beforeAll(async () => {
  for (const name of ['Alpine Outdoor AG', 'Blumen Müller GmbH & Co. KG', 'City Library', 'Harbour Bank plc']) {
    await world.askAdmin('POST', '/accounts', { name })
  }
  await eventually('the carriers to be up', async () => {
    const { body } = await world.askAdmin('GET', '/carriers')
    return (body['data'] as readonly { readonly state: { readonly up: boolean } }[]).every(({ state }) => state.up)
  })
  // The last two digits of a phone decide how it behaves.
  const phones = Array.from({ length: MESSAGES }, (_, index) => 491_701_230_000 + index * 7)
  for (let at = 0; at < MESSAGES; at += 50) {
    await world.send(...phones.slice(at, at + 50).map((phone, index) => ({ ...CHAIN, id: 7_000 + at + index, phone })))
  }
  await world.send({ ...CHAIN, id: 'order-2026-1705', phone: LATE })
  await vi.waitFor(() => expect(reportsOfLate()).toBe(1), PATIENCE)
  await eventually('all messages to end', async () => {
    const { body } = await world.askAdmin('GET', '/statistics?by=none')
    const [line] = body['data'] as readonly { readonly delivered: number; readonly failed: number }[]
    return line !== undefined && line.delivered + line.failed >= MESSAGES
  })
}, 120_000)

function reportsOfLate(): number {
  return world.sink.calls.filter(({ body }) => body.includes('"order-2026-1705"')).length
}

test('why a message was late, what it cost, and its report sent again', async () => {
  const page = await browser.visit('/', { user: await world.addUser('anna', 'owner') })
  await page.getByRole('cell', { name: 'sandbox-rcs' }).waitFor()
  await page.locator('canvas').first().waitFor()
  await keepScreenshot(page, 'overview')
  await page.getByRole('link', { name: 'Messages' }).click()
  await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
  await page.getByRole('cell', { name: String(LATE) }).waitFor()
  await keepScreenshot(page, 'messages')
  await page.getByLabel('Phone number').fill('+49 170 1234505')
  await page.getByLabel('Phone number').press('Enter')
  await vi.waitFor(async () => expect(await page.getByRole('row').count()).toBe(2), PATIENCE)
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await page.getByText(/of that were spent waiting for RCS/).waitFor()
  await page.getByText('€0.05 charged').waitFor()
  await keepScreenshot(page, 'message')
  await page.getByRole('button', { name: 'Send the report again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send the report again' }).click()
  await vi.waitFor(() => expect(reportsOfLate()).toBe(2), PATIENCE)
})

test('an account that can send, with the key that the console shows', async () => {
  const page = await browser.visit('/', { user: await world.addUser('olga', 'owner') })
  await page.getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('link', { name: 'New account' }).click()
  await page.getByRole('heading', { level: 1, name: 'New account' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Deutsche Paket Zustellung')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Amount in EUR').fill('1000')
  await page.getByRole('button', { name: 'Add €1,000.00' }).click()
  await page.getByLabel('Sender name').fill('Paket')
  await page.getByRole('button', { name: 'Approve sender' }).click()
  await page.getByText('Approved', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Issue key' }).click()
  const curl = await page.getByRole('region', { name: 'Send the first message' }).innerText()
  const [, body = ''] = /-d '(.*)'$/s.exec(curl) ?? []
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${world.sandbox.address}/api/json.php`, { method: 'POST', headers, body })
  expect(await response.json()).toMatchObject({ success: true, data: [{ success: true }] })
  await page.getByRole('link', { name: 'Open the account' }).click()
  await page.getByRole('heading', { name: 'Deutsche Paket Zustellung' }).waitFor()
  await page.getByText(/Paket \(SMS\)/).waitFor()
  await keepScreenshot(page, 'account')
})

test('the delivery rate of one mobile operator', async () => {
  const page = await browser.visit('/', { user: await world.addUser('faye', 'finance') })
  await page.getByRole('link', { name: 'Statistics' }).click()
  await page.getByLabel('Group by').selectOption('Mobile operator')
  const { body } = await world.askAdmin('GET', '/statistics?by=operator')
  const lines = body['data'] as readonly { readonly operator: string | null; readonly delivered_of_asked: number }[]
  const share = lines.find(({ operator }) => operator === '26201')?.delivered_of_asked ?? 0
  const percent = String(Math.round(share * 1_000) / 10).replace('.', '\\.')
  expect(share).toBeLessThan(1)
  await page.getByRole('row', { name: new RegExp(`^T-Mobile .* ${percent}\\s?% `) }).waitFor()
  // The heading, two operators and the total: no row of the former grouping is left.
  expect(await page.getByRole('row').count()).toBe(4)
  await keepScreenshot(page, 'statistics')
})

test('the same in the dark', async () => {
  const page = await browser.visit('/', { user: await world.addUser('dora', 'operator'), theme: 'dark' })
  await page.getByRole('cell', { name: 'sandbox-rcs' }).waitFor()
  await page.locator('canvas').first().waitFor()
  await keepScreenshot(page, 'overview-dark')
})
