/** A support question: why did a message to a phone ending in 05 take long, what did it cost; send its report again. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, vi } from 'vitest'
import { expectAccessible, expectFitsWidth, keepScreenshot, test } from './support/browser.ts'
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
  short_link: true,
}

/** A loaded machine may be slow. */
const PATIENCE = { timeout: 30_000 }

const { world, browser } = await openConsole()
let slow = 0

beforeAll(async () => {
  await world.askAdmin('PUT', '/costs', { carrier: 'sandbox-sms', price: 0.02 })
  const [first = 0] = await world.send(
    { ...CHAIN, id: 'order-2026-05', phone: 491701234505 },
    { ...CHAIN, id: 'order-2026-01', phone: 491701234501 },
    { ...CHAIN, id: 'an-order-with-a-very-long-identifier-of-the-shop-0000000000003', phone: 491701234503 },
    { ...CHAIN, phone: 491701234506 },
    ...Array.from({ length: 60 }, (_, index) => ({ ...CHAIN, id: 1_000 + index, phone: 491701234520 + index })),
  )
  slow = first
  await vi.waitFor(() => expect(reportsOf('order-2026-05')).toBe(1), PATIENCE)
})

function reportsOf(id: string): number {
  return world.sink.calls.filter(({ body }) => body.includes(`"${id}"`)).length
}

async function expectRows(page: Page, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await page.locator('tbody tr').count()).toBe(count), PATIENCE)
}

async function heading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

test('a supporter finds why a message took long, what it cost, and sends its report again', async () => {
  const sara = await world.addUser('sara', 'support')
  const page = await browser.visit('/messages', { user: sara })
  await heading(page, 'Messages')
  await page.getByRole('cell', { name: '491701234579' }).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'messages')

  await page.getByLabel('Phone number').fill('05')
  await page.getByLabel('Phone number').press('Enter')
  await page.getByText('Enter the whole number with its country code').waitFor()
  await keepScreenshot(page, 'messages-phone-short')
  await page.getByLabel('Phone number').fill('+49 170 1234505')
  await page.getByLabel('Phone number').press('Enter')
  await expectRows(page, 1)
  expect(page.url()).not.toContain('4505')
  await page.getByRole('link', { name: String(slow) }).click()

  await heading(page, `Message ${slow}`)
  await page.getByText(/It took .+ in all; .+ of that were spent waiting for RCS and chat app\./).waitFor()
  await page.getByText('Falls back to SMS').waitFor()
  await page.getByText('€0.05 charged').waitFor()
  expect(await page.getByText('margin').count()).toBe(0)
  await page.getByRole('heading', { name: 'Status report' }).getByText('Delivered').waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'message')

  await page.getByRole('button', { name: 'Send the report again' }).click()
  await page.getByRole('dialog').getByText('The gateway posts it to').waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'message-resend')
  await page.getByRole('dialog').getByRole('button', { name: 'Send the report again' }).click()
  await page.getByText('The next try begins now').waitFor()
  await vi.waitFor(() => expect(reportsOf('order-2026-05')).toBe(2), PATIENCE)
  await page.getByText('Delivered before').waitFor()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Report delivered').nth(1).waitFor()
  await page.getByRole('list', { name: 'Tries' }).getByText('delivered (HTTP 200)').nth(1).waitFor()
  await keepScreenshot(page, 'message-resent')
})

test('filters are in the address, and an id finds both the client’s and the gateway’s', async () => {
  const olga = await world.addUser('olga', 'operator')
  const page = await browser.visit('/messages?status=UNDELIVERABLE&channel=sms&time=24h', { user: olga, theme: 'dark' })
  await expectRows(page, 1)
  await page.getByRole('cell', { name: '491701234503' }).waitFor()
  await keepScreenshot(page, 'messages-filtered-dark')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: 'Load more' }).click()
  await expectRows(page, 64)

  await page.getByLabel('Message ID or client ID').fill('order-2026-01')
  await page.getByLabel('Message ID or client ID').press('Enter')
  await expectRows(page, 1)
  expect(page.url()).toContain('id=order-2026-01')
  await page.getByLabel('Message ID or client ID').fill(String(slow))
  await page.getByLabel('Message ID or client ID').press('Enter')
  await page.getByText(`Message ${slow} of account 1`).waitFor()
  await page.getByText('No message matches').waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'messages-none-dark')
  await page.getByRole('link', { name: 'Open' }).click()
  await heading(page, `Message ${slow}`)
  await expectAccessible(page)
  await keepScreenshot(page, 'message-dark')
})

test('a user of the account sees its messages without carriers, costs and other accounts', async () => {
  const rita = await world.addUser('rita', 'client-reader', { account: 1 })
  const page = await browser.visit(`/messages/${slow}`, { user: rita })
  await heading(page, `Message ${slow}`)
  await page.getByText(/It took .+ in all; .+ of that were spent waiting for RCS and chat app\./).waitFor()
  await page.getByText('Falls back to SMS').waitFor()
  expect(await page.getByText('sandbox-').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Send the report again' }).count()).toBe(0)
  await expectAccessible(page)
  await keepScreenshot(page, 'message-client')
  await page.getByRole('link', { name: 'Messages' }).first().click()
  await heading(page, 'Messages')
  await page.getByRole('cell', { name: '491701234579' }).waitFor()
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('Sender').waitFor()
  expect(await page.getByRole('combobox', { name: 'All accounts' }).count()).toBe(0)
  expect(await page.getByLabel('Carrier').count()).toBe(0)
})

test('on a phone, in German, nothing scrolls sideways', async () => {
  const uwe = await world.addUser('uwe', 'auditor')
  const page = await browser.visit('/messages', { user: uwe, size: 'phone', language: 'de' })
  await page.getByRole('cell', { name: '491701234579' }).waitFor()
  // What phones have no column for is below the row.
  await page.getByRole('main').getByText('Preis', { exact: true }).first().waitFor()
  await expectFitsWidth(page)
  await expectAccessible(page)
  await keepScreenshot(page, 'messages-phone')
  await page.goto(`${world.console}/messages/${slow}`)
  await heading(page, `Nachricht ${slow}`)
  await page.getByText('Weiter mit SMS').waitFor()
  await page.getByText('Kosten 0,02 € · Marge 0,03 €').waitFor()
  await expectFitsWidth(page)
  await expectAccessible(page)
  await keepScreenshot(page, 'message-phone')
  await page.goto(`${world.console}/messages/9999999`)
  await page.getByRole('alert').waitFor()
})
