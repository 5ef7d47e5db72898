/** Statistics in the console: delivery rate of a mobile operator, groups, days, sorting, CSV, a user of an account. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { expectAccessible, expectFitsWidth, keepScreenshot, look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

/** Of T-Mobile, 26201; phones that end in 07 are of 00102. */
const DELIVERED = 9
const FAILED = 1

beforeAll(async () => {
  const sms = (phone: number) => ({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Hello' })
  await world.send(
    ...Array.from({ length: DELIVERED }, (_, index) => sms(491_701_230_020 + index)),
    sms(491_701_234_503),
    ...Array.from({ length: 3 }, (_, index) => sms(491_701_230_107 + 100 * index)),
  )
  await eventually('the messages to end', async () => {
    const { body } = await world.askAdmin('GET', '/statistics?by=none')
    const [line] = body['data'] as readonly { readonly delivered: number; readonly failed: number }[]
    return line !== undefined && line.delivered === DELIVERED + 3 && line.failed === FAILED
  })
})

const tableOf = (page: Page) => page.getByRole('table', { name: /^Statist/ })

test('an operator reads the delivery rate of one mobile operator, and downloads the figures', async () => {
  const olga = await world.addUser('olga', 'owner')
  const page = await browser.visit('/', { user: olga })
  await page.getByRole('navigation').getByRole('link', { name: 'Statistics' }).click()
  await page.getByRole('row', { name: /^SMS 13 13 12 92/ }).waitFor()
  await page.getByLabel('Group by').selectOption('Mobile operator')
  await page.getByRole('row', { name: /^T-Mobile \(262-01\) 10 10 9 90\s?% 1 / }).waitFor()
  await page.getByRole('row', { name: /^001-02 3 3 3 100\s?% 0 / }).waitFor()
  await page.getByRole('row', { name: /^Total 13 13 12 92/ }).waitFor()
  expect(await tableOf(page).getByRole('row').count()).toBe(4)
  await expectAccessible(page)
  await expectFitsWidth(page)
  await keepScreenshot(page, 'statistics')

  const requested = page.getByRole('columnheader', { name: 'Requested' })
  await requested.getByRole('button').click()
  await page.locator('th[aria-sort=descending]').filter({ hasText: 'Requested' }).waitFor()
  await tableOf(page).getByRole('row').nth(1).filter({ hasText: 'T-Mobile' }).waitFor()
  await requested.getByRole('button').click()
  await tableOf(page).getByRole('row').nth(1).filter({ hasText: '001-02' }).waitFor()

  await page.getByLabel('Operator, e.g. 26201').fill('001-02')
  await page.getByLabel('Operator, e.g. 26201').press('Enter')
  await page.getByRole('row', { name: /^T-Mobile/ }).waitFor({ state: 'detached' })
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ by: 'operator', operator: '00102' })

  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const download = await waiting
  const [header, line, ...more] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split(/\r?\n/)
  expect(header).toContain('operator')
  expect(line).toContain('00102')
  expect(more).toEqual([])

  await page.reload()
  await page.getByRole('row', { name: /^001-02/ }).waitFor()
})

test('by status, each row has the messages that reached it, and one row counts all', async () => {
  const page = await browser.visit('/statistics?by=status', { user: await world.addUser('stan', 'operator') })
  await page.getByRole('row', { name: /^All requested and sent – 13 13 0 0 / }).waitFor()
  await page.getByRole('row', { name: /^DELIVERED 12 0 0 12 0 / }).waitFor()
  await page.getByRole('row', { name: /^UNDELIVERABLE 1 0 0 0 1 / }).waitFor()
})

test('yesterday and other days are in the address, and an empty day says what to do', async () => {
  const faye = await world.addUser('faye', 'finance')
  const page = await browser.visit('/statistics?by=operator', { user: faye, theme: 'dark' })
  await page.getByRole('row', { name: /^T-Mobile/ }).waitFor()
  await page.getByLabel('Time range').selectOption('Other days…')
  await page.getByRole('row', { name: /^T-Mobile/ }).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'statistics-dark')
  await page.getByLabel('First day').fill('2024-02-01')
  await page.getByLabel('Last day').fill('2024-02-02')
  await page.getByLabel('Last day').press('Enter')
  await page.getByText('No messages in this time').waitFor()
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    time: 'custom',
    from: '2024-02-01',
    through: '2024-02-02',
  })
  await expectAccessible(page)
  await page.getByLabel('First day').fill('2024-02-05')
  await page.getByLabel('First day').press('Enter')
  await page.getByRole('alert').first().waitFor()
  await page.getByLabel('Time range').selectOption('Yesterday')
  await page.getByText('No messages in this time').waitFor()
  expect(new URL(page.url()).search).toBe('?by=operator&time=yesterday')
})

test('a user of an account sees that account only, without carriers and costs, on a phone in German', async () => {
  const rita = await world.addUser('rita@1', 'client-reader', { account: 1 })
  const page = await browser.visit('/statistics?by=operator', { user: rita, size: 'phone', language: 'de' })
  await page.getByRole('row', { name: /^T-Mobile \(262-01\) 10/ }).waitFor()
  const groups = await page.getByLabel('Gruppieren nach').locator('option').allTextContents()
  expect(groups).not.toContain('Carrier')
  expect(groups).not.toContain('Konto')
  expect(await page.getByRole('columnheader', { name: 'Marge' }).count()).toBe(0)
  await expectFitsWidth(page)
  await expectAccessible(page)
  await keepScreenshot(page, 'statistics-phone')
})

test('of more senders than an answer has lines, those with most messages are shown, and the others in one row', async () => {
  const yesterday = Math.floor(Date.now() / 3_600_000) - 24
  const database = new DatabaseSync(world.databaseFile, { timeout: 10_000 })
  database.exec(`WITH RECURSIVE senders (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM senders WHERE id < 5100)
    INSERT INTO message_total SELECT 1, ${yesterday}, 1, 'asked', 'sms', '', '26201', 'DE', 'Shop' || id, 'EUR', '', 1, 0, 0, id
    FROM senders`)
  database.close()
  const omar = await world.addUser('omar', 'owner')
  const page = await browser.visit('/statistics?by=sender&time=yesterday', { user: omar })
  await page.getByRole('row', { name: /^5,000 others 12,502,500 / }).waitFor()
  await page.getByText('The table shows the first 100 groups of this order').waitFor()
  expect(await tableOf(page).getByRole('row').count()).toBe(103)
  await page.getByRole('columnheader', { name: 'Requested' }).getByRole('button').click()
  await tableOf(page).getByRole('row').nth(1).filter({ hasText: 'Shop5100' }).waitFor()
  await tableOf(page).getByRole('row').nth(-2).filter({ hasText: '5,000 others' }).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'statistics-others')
})

test('an owner finds the accounts that lose money, and the total is that of all accounts, in the chart as well', async () => {
  const hour = Math.floor(Date.now() / 3_600_000) - 48
  const database = new DatabaseSync(world.databaseFile, { timeout: 10_000 })
  database.exec(`WITH RECURSIVE accounts (id) AS (SELECT 1001 UNION ALL SELECT id + 1 FROM accounts WHERE id < 1150)
    INSERT INTO message_total SELECT 1, ${hour}, id, 'taken', 'sms', 'c', '26201', 'DE', 'S', 'EUR', 'EUR', 1, 80000,
      iif(id IN (1007, 1070, 1142), 100000 + id, 50000), 1 FROM accounts
    UNION ALL SELECT 1, ${hour}, 1001, 'taken', 'sms', 'c', '26201', 'DE', 'S', 'EUR', '', 1, 123456, 0, 1`)
  database.close()
  const zoe = await world.addUser('zoe', 'owner')
  const page = await browser.visit('/statistics?by=account&time=7d&country=de', { user: zoe })
  await page.setViewportSize({ width: 1440, height: 900 })
  const margin = page.getByRole('columnheader', { name: 'Margin' })
  await margin.getByRole('button').click()
  await page.locator('th[aria-sort=ascending]').filter({ hasText: 'Margin' }).waitFor()
  const rows = tableOf(page).getByRole('row')
  for (const [index, account] of [1142, 1070, 1007].entries()) {
    await rows
      .nth(index + 1)
      .filter({ hasText: String(account) })
      .waitFor()
  }
  await rows.nth(1).filter({ hasText: '-€0.0211' }).waitFor()
  // 150 accounts, of which 147 earn 0.03 each.
  await rows
    .last()
    .filter({ hasText: /^Total.*€4\.3468/ })
    .waitFor()
  await page.getByRole('heading', { name: 'Margin by account' }).waitFor()
  await page.getByText('Show the values as a table').click()
  await page.getByRole('table', { name: 'Margin by account' }).getByRole('columnheader', { name: '1142' }).waitFor()
  await page.getByText('Show the values as a table').click()
  await look(page, 'statistics-losses')
  await rows.last().scrollIntoViewIfNeeded()
  await keepScreenshot(page, 'statistics-losses-table')
  expect(await page.getByText('wider than the page').count()).toBe(0)
  // Large numbers and a long name fit as well.
  const name = 'Donaudampfschifffahrtsgesellschaft GmbH & Co. KG'
  const { body: made } = await world.askAdmin('POST', '/accounts', { name })
  const large = new DatabaseSync(world.databaseFile, { timeout: 10_000 })
  large.exec(`INSERT INTO message_total SELECT 1, ${hour}, ${made['account']}, column1, 'sms', 'c', '26201', 'DE', 'S', 'EUR', 'EUR', 1,
    iif(column1 = 'taken', 123456789100, 0), iif(column1 = 'taken', 98765432100, 0), 4567890
    FROM (VALUES ('asked'), ('taken'), ('delivered 9'), ('failed EXPIRED'))`)
  large.close()
  const german = await browser.visit(new URL(page.url()).search.replace(/^/, '/statistics'), {
    user: zoe,
    language: 'de',
  })
  await german.setViewportSize({ width: 1440, height: 900 })
  await tableOf(german).getByText('-0,0211').first().waitFor()
  await german.getByText('Kosten unbekannt').first().scrollIntoViewIfNeeded()
  await keepScreenshot(german, 'statistics-german')
  expect(await german.getByText('breiter als').count()).toBe(0)
  await german.setViewportSize({ width: 390, height: 844 })
  await german.getByRole('columnheader').nth(1).filter({ hasText: 'Marge' }).waitFor()
  await tableOf(german).scrollIntoViewIfNeeded()
  await keepScreenshot(german, 'statistics-german-phone')
  await page.goto(`${page.url()}&order=down`)
  await tableOf(page).getByText('€123,456.7891').first().waitFor()
  const longName = tableOf(page).getByRole('link', { name: `${name} · ${made['account']}` })
  await longName.waitFor()
  const cut = (node: { scrollWidth: number; clientWidth: number }) => node.scrollWidth - node.clientWidth
  expect(await tableOf(page).getByRole('cell').filter({ hasText: name }).evaluate(cut)).toBeLessThanOrEqual(0)
  await rows.last().scrollIntoViewIfNeeded()
  await keepScreenshot(page, 'statistics-large')
  expect(await page.getByText('wider than the page').count()).toBe(0)
})
