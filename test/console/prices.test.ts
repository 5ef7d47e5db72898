/** General prices, those of groups, moves between groups and costs from a day on, in the console. */
import { readFileSync } from 'node:fs'
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

const dataOf = async (path: string) => (await world.askAdmin('GET', path)).body['data'] as readonly object[]
const file = (name: string, content: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

test('finance sets general prices for now and later, finds them by day, and imports and exports them', async () => {
  const finance = await world.addUser('fiona', 'finance')
  const page = await browser.visit('/', { user: finance })
  await page.getByRole('navigation').getByRole('link', { name: 'Prices' }).click()
  const table = page.getByRole('table', { name: 'General prices' })
  const dialog = page.getByRole('dialog')
  const set = async (price: string, from: string) => {
    await page.getByRole('button', { name: 'Set price' }).click()
    await dialog.getByLabel(/^Prefix/).fill('4930')
    await dialog.getByLabel(/^Price of one part/).fill(price)
    if (from !== '') {
      await dialog.getByLabel(/^Valid from/).fill(from)
      await dialog.getByLabel('End the one that is valid').check()
    }
    await dialog.getByRole('button', { name: 'Set price' }).click()
  }
  await set('0.06', '')
  await table.getByRole('row', { name: /SMS 4930 – Always €0.06/ }).waitFor()
  await set('0.07', '2099-01-01')
  await page.getByLabel('Prefix, country or network').fill('4930')
  await page.getByLabel('Prefix, country or network').press('Enter')
  await table.getByRole('row', { name: /SMS 4930 – until 2099-01-01 €0.06/ }).waitFor()
  await table.getByRole('row', { name: /SMS 4930 – from 2099-01-01 €0.07/ }).waitFor()
  await look(page, 'prices-general')
  await page.getByLabel('At any time').selectOption('Valid on a day')
  await page.getByLabel('Day', { exact: true }).fill('2099-06-01')
  await page.getByLabel('Day', { exact: true }).press('Enter')
  await table.getByText('€0.06').waitFor({ state: 'detached' })
  await table.getByRole('row', { name: /€0.07/ }).waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByLabel('CSV file').setInputFiles(file('usd.csv', 'channel,prefix,price\nsms,1,0.01\n'))
  await dialog.getByLabel('Currency').fill('usd')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('1 added, 0 changed, 0 removed:').waitFor()
  await dialog.getByRole('button', { name: 'Apply file' }).click()
  await page.getByLabel('All currencies').selectOption('USD')
  await table.getByRole('row', { name: /SMS 1 – Always US\$0.01/ }).waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export USD' }).click()
  expect(readFileSync(await (await saved).path(), 'utf8')).toContain('sms,1,,,,0.01')
})

test('finance gives a group prices from a copy and a sheet, and moves accounts there and back', async () => {
  const finance = await world.addUser('fritz', 'finance')
  await world.askAdmin('PATCH', '/accounts/1', { name: 'Donaudampfschifffahrtsgesellschaft Versand GmbH & Co. KG' })
  const page = await browser.visit('/prices?tab=groups', { user: finance })
  const dialog = page.getByRole('dialog')
  await page.getByText('No price groups yet').waitFor()
  await page.getByRole('button', { name: 'Add group' }).click()
  await dialog.getByLabel('Name').fill('retail')
  await dialog.getByRole('button', { name: 'Add group' }).click()
  await page.getByRole('heading', { name: 'retail', level: 1 }).waitFor()
  await page.getByText('Its accounts pay the general prices.').waitFor()

  await page.getByRole('button', { name: 'Copy' }).click()
  await dialog.getByLabel(/^Percent/).fill('200')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('button', { name: 'Copy prices' }).click()
  const table = page.getByRole('table', { name: 'Prices of the group retail' })
  await table.getByRole('row', { name: /SMS All numbers – Always €0.1/ }).waitFor()
  await page.getByRole('button', { name: 'Import sheet' }).click()
  await dialog.getByLabel('Sheet of the carrier').setInputFiles(file('acme.csv', 'Prefix,Price\n4989,0.031\n'))
  await dialog.getByRole('button', { name: 'Columns' }).click()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await table.getByRole('row', { name: /SMS 4989 .*€0.031/ }).waitFor()
  await look(page, 'price-group')

  await page.getByRole('tab', { name: 'Accounts' }).click()
  await page.getByRole('button', { name: 'Move accounts' }).click()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('Choose at least one account.').waitFor()
  await dialog.getByLabel(/^Add an account/).fill('Donau')
  await page.getByRole('option').click()
  await dialog.getByLabel(/^From/).fill('2099-01-01')
  await look(page, 'price-group-move')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('1 account → retail · From 2099-01-01').waitFor()
  await dialog.getByText('Before: No group').waitFor()
  await dialog.getByText('€0.05 → €0.1').first().waitFor()
  await look(page, 'price-group-move-preview')
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('row', { name: /Donau.* · 1 2099-01-01 No end/ }).waitFor()
  await page.getByRole('button', { name: 'Remove group' }).click()
  await dialog.getByRole('button', { name: 'Remove group' }).click()
  await dialog.getByText('accounts belong to the price group retail, now or later: 1; move them first').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.goto(`${world.console}/accounts/1?tab=prices`)
  await page.locator('dl').getByText('from 2099-01-01').waitFor()
  await page.getByRole('button', { name: 'Move accounts' }).click()
  await dialog.getByLabel(/^Price group/).fill('ret')
  await page.getByRole('option', { name: 'retail' }).click()
  await dialog.getByLabel(/^From/).fill('')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('row', { name: /SMS All numbers – Always group retail €0.1/ }).waitFor()
  await look(page, 'account-price-group')

  await page.getByRole('link', { name: 'Show and cancel moves' }).click()
  await page.getByRole('row', { name: /retail 2099-01-01 No end Planned/ }).waitFor()
  await look(page, 'price-group-moves')
  await page.getByRole('button', { name: 'Cancel move' }).click()
  await dialog.getByRole('button', { name: 'Cancel move' }).click()
  await page.getByText('The move is cancelled').waitFor()
  expect(await dataOf('/price-group-memberships')).toMatchObject([{ account: 1, group: 'retail', state: 'present' }])
})

test('a new cost of a carrier ends the one before it', async () => {
  const owner = await world.addUser('frida', 'owner')
  const page = await browser.visit('/carriers/sandbox-sms?tab=costs', { user: owner })
  const dialog = page.getByRole('dialog')
  const table = page.getByRole('table', { name: 'Costs' })
  for (const [cost, from] of [
    ['0.01', ''],
    ['0.02', '2099-01-01'],
  ] as const) {
    await page.getByRole('button', { name: 'Set cost' }).click()
    await dialog.getByLabel('Cost of a part').fill(cost)
    await dialog.getByLabel(/^Valid from/).fill(from)
    if (from !== '') await dialog.getByLabel('End the one that is valid').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await table.getByRole('row', { name: new RegExp(cost) }).waitFor()
  }
  await table.getByRole('row', { name: /until 2099-01-01 .*0\.01/ }).waitFor()
  await table.getByRole('row', { name: /from 2099-01-01 .*0\.02/ }).waitFor()
  await look(page, 'carrier-costs-valid')
})

test('on a phone, in German and dark, an auditor reads but changes nothing; the search finds groups', async () => {
  await world.askAdmin('PUT', '/price-groups/grosskunden-mit-langem-namen-2099', {})
  const auditor = await world.addUser('anna', 'auditor')
  const how = { user: auditor, size: 'phone', theme: 'dark', language: 'de' } as const
  const page = await browser.visit('/prices?tab=groups', how)
  await page.getByRole('link', { name: 'grosskunden-mit-langem-namen-2099' }).waitFor()
  expect(await page.getByRole('button', { name: 'Gruppe hinzufügen' }).count()).toBe(0)
  await look(page, 'phone-price-groups')
  await page.getByRole('tab', { name: 'Allgemeine Preise' }).click()
  await page.getByRole('table', { name: 'Allgemeine Preise' }).getByText('SMS').first().waitFor()
  await look(page, 'phone-prices-general')
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Suche' }).fill('langem')
  await page.getByRole('option', { name: /grosskunden/ }).click()
  await page.getByRole('heading', { name: 'grosskunden-mit-langem-namen-2099', level: 1 }).waitFor()
  expect(await page.getByRole('button', { name: 'Gruppe entfernen' }).count()).toBe(0)
  await look(page, 'phone-price-group')
})
