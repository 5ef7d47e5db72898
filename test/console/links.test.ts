/** Short links in the console: clicks over time, the addresses that are clicked, search, a user of an account. */
import { beforeAll, expect } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { expectAccessible, expectFitsWidth, keepScreenshot, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const BROWSER = { 'user-agent': 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15' }
const ROBOT = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }
const ADDRESSES = [
  ...Array.from({ length: 9 }, (_, customer) => `https://shop.example/summer-sale?customer=${customer}`),
  'https://news.example/a-very-long-address-of-an-article/about-short-links/and-what-they-are-good-for-in-messages',
  'https://shop.example/order/4711000123',
]

const { world, browser } = await openConsole()

beforeAll(async () => {
  const rcs = (address: string, index: number) => ({
    ...{ type: 'rcs', phone: 491_701_230_020 + index, rcs_signature: 'RCSTest', rcs_message: `See ${address}` },
    short_link: true,
  })
  const ids = await world.send(...ADDRESSES.map(rcs))
  for (const [index, id] of ids.entries()) await click(id, BROWSER, ...(index % 3 === 0 ? [BROWSER, ROBOT] : []))
  await eventually('the clicks to be counted', async () => {
    const { body } = await world.askAdmin('GET', '/statistics?by=none')
    const [line] = body['data'] as readonly { readonly clicks: number; readonly clicked: number; delivered: number }[]
    return line?.clicks === 15 && line.clicked === ADDRESSES.length && line.delivered === ADDRESSES.length
  })
})

async function click(message: number, ...visitors: readonly Record<string, string>[]): Promise<void> {
  const { body } = await world.askAdmin('GET', `/messages/${message}/details`)
  const [link] = body['links'] as readonly { readonly code: string }[]
  for (const headers of visitors) {
    await fetch(`${world.sandbox.address}/l/${link?.code}`, { headers, redirect: 'manual' })
  }
}

test('an operator sees when recipients clicked, on what, and searches an address', async () => {
  const olga = await world.addUser('olga', 'owner')
  const page = await browser.visit('/', { user: olga })
  await page.getByRole('navigation').getByRole('link', { name: 'Links' }).click()
  await page.getByText('100% of those delivered').waitFor()
  await page.locator('dl > div', { hasText: 'by humans' }).getByText('15', { exact: true }).waitFor()
  await page.locator('canvas').first().waitFor()
  await page.getByRole('row', { name: /^https:\/\/shop\.example\/summer-sale .* 12 9 3 / }).waitFor()
  await page.getByRole('row', { name: /^https:\/\/shop\.example\/order\/\* / }).waitFor()
  await expectAccessible(page)
  await expectFitsWidth(page)
  await keepScreenshot(page, 'links')

  await page.getByLabel('Search addresses').fill('NEWS')
  await page.getByLabel('Search addresses').press('Enter')
  await page.getByRole('row', { name: /summer-sale/ }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /^https:\/\/news\.example/ }).waitFor()
  expect(new URL(page.url()).search).toBe('?search=NEWS')
  await page.getByLabel('Search addresses').fill('none.example')
  await page.getByLabel('Search addresses').press('Enter')
  await page.getByText('No address matches').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('row', { name: /summer-sale/ }).waitFor()

  await page.getByLabel('Time range').selectOption('Yesterday')
  await page.getByText('No clicks in this time').first().waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'links-empty')
  await page.getByLabel('Time range').selectOption('Last 30 days')
  await page.getByText('per day', { exact: true }).waitFor()
})

test('is legible in the dark', async () => {
  const sue = await world.addUser('sue', 'support')
  const page = await browser.visit('/links?time=today', { user: sue, theme: 'dark' })
  await page.getByRole('row', { name: /summer-sale/ }).waitFor()
  await page.locator('canvas').first().waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'links-dark')
})

test('a user of an account sees its clicks, on a phone in German', async () => {
  const rita = await world.addUser('rita@1', 'client-reader', { account: 1 })
  const page = await browser.visit('/links', { user: rita, size: 'phone', language: 'de' })
  await page.getByRole('row', { name: /summer-sale/ }).waitFor()
  await page.locator('canvas').first().waitFor()
  expect(await page.getByRole('columnheader', { name: 'Konto' }).count()).toBe(0)
  await expectFitsWidth(page)
  await expectAccessible(page)
  await keepScreenshot(page, 'links-phone')
})
