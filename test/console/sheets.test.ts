/** An owner sets up costs and prices from two sheets of carriers, in the console alone. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { englishWorkbook, germanSheet, NETWORKS } from '../support/carrier-sheets.ts'
import { writeXlsx } from '../support/write-xlsx.ts'
import { keepScreenshot, look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

const file = (name: string, content: Uint8Array | string) => ({
  ...{ name, mimeType: 'application/octet-stream' },
  buffer: Buffer.from(content),
})
const vodafone = (NETWORKS.find(({ mcc, mnc }) => mcc + mnc === '26202')?.price ?? 0) / 10_000

test('an owner takes the costs of a workbook', async () => {
  const owner = await world.addUser('olga', 'owner')
  const page = await browser.visit('/carriers/sandbox-sms?tab=costs', { user: owner })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Import carrier’s sheet' }).click()
  await dialog.getByText('Step 1 of 3').waitFor()
  await dialog.getByRole('button', { name: 'Columns' }).click()
  await dialog.getByText('Choose a file.').waitFor()
  await dialog.getByLabel('Sheet of the carrier').setInputFiles(file('old.xls', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0)))
  await dialog.getByText('an old XLS workbook, or has a password').waitFor()
  await dialog.getByLabel('Sheet of the carrier').setInputFiles(file('empty.csv', ' \n'))
  await dialog.getByText('The file is empty.').waitFor()
  await dialog.getByLabel('Sheet of the carrier').setInputFiles(file('acme.xlsx', englishWorkbook()))
  expect(await dialog.getByLabel('Sheet of the workbook').inputValue()).toBe('SMS MT')
  await look(page, 'sheet-file')
  await dialog.getByRole('button', { name: 'Columns' }).click()
  await dialog.getByText('Step 2 of 3').waitFor()
  expect(await dialog.getByLabel('Column 5').inputValue()).toBe('price')
  await look(page, 'sheet-columns')
  await dialog.getByLabel('Column 5').selectOption('')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('Name the column with the price').waitFor()
  await dialog.getByLabel('Column 5').selectOption('Price')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('600 added').waitFor()
  await dialog.getByText('590 more changes are in the file').waitFor()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'All changes (CSV)' }).click()
  const saved = readFileSync(await (await download).path(), 'utf8')
  expect(saved.split('\n')).toHaveLength(602)
  await look(page, 'sheet-preview')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('The sheet is imported: 600 added, 0 changed').waitFor()
  const { body } = await world.askAdmin('GET', '/costs?carrier=sandbox-sms&search=26202')
  expect(body['data']).toMatchObject([{ operator: '26202', price: vodafone, from: '2030-01-01', until: null }])

  const table = page.getByRole('table', { name: 'Costs' })
  await page.getByText('50 of 600 rows').waitFor()
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByText('100 of 600 rows').waitFor()
  await page.getByLabel('Prefix, country or network').fill('262-02')
  await page.getByLabel('Prefix, country or network').press('Enter')
  await table.getByRole('row', { name: /Vodafone \(262-02\) .*from 1 Jan 2030/ }).waitFor()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await look(page, 'costs-found')
  const exported = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  expect(readFileSync(await (await exported).path(), 'utf8').split('\n')).toHaveLength(3)
  await page.getByLabel('At any time').selectOption('Valid now')
  await page.getByText('No costs match').waitFor()
})

test('an owner makes prices of a German list, twice its amounts, without its wrong line', async () => {
  const owner = await world.addUser('omar', 'owner')
  const { body: made } = await world.askAdmin('POST', '/accounts', { name: 'Sheet Shop' })
  const page = await browser.visit(`/accounts/${made['account']}?tab=prices`, { user: owner })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Import carrier’s sheet' }).click()
  const csv = germanSheet()
    .replace('Deutschland', 'Germany')
    .replace('Kiribati', 'Kiribati;545;09;X;1,00 $\r\nKiribati')
  await dialog.getByLabel('Sheet of the carrier').setInputFiles(file('muster.csv', csv))
  await dialog.getByLabel('Valid from').fill('2030-02-01')
  await dialog.getByLabel('Percent').fill('200')
  await dialog.getByRole('button', { name: 'Columns' }).click()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('The price is in another currency').waitFor()
  expect(await dialog.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true)
  await dialog.getByText('1 line has no price:').waitFor()
  await dialog.getByLabel('Leave out 1 wrong line').check()
  await look(page, 'sheet-wrong')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('The sheet is imported').waitFor()
  const prices = (await world.askAdmin('GET', `/prices?account=${made['account']}&most=1000`)).body['data']
  expect(prices).toHaveLength(600)
  expect(prices).toContainEqual(expect.objectContaining({ operator: '26202', price: vodafone * 2, from: '2030-02-01' }))
})

test('an owner goes back to another sheet of the workbook, and sees what the numbers of new lines pay before', async () => {
  const owner = await world.addUser('orla', 'owner')
  const { body: made } = await world.askAdmin('POST', '/accounts', { name: 'Back Shop' })
  await world.askAdmin('PUT', '/prices', { channel: 'sms', currency: 'EUR', prefix: '', price: 0.05 })
  const page = await browser.visit(`/accounts/${made['account']}?tab=prices`, { user: owner })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Import carrier’s sheet' }).click()
  const workbook = writeXlsx([
    { name: 'Notes', rows: [['Valid for 2030']] },
    {
      name: 'Prices',
      rows: [
        ['Prefix', 'Price'],
        ['21', 0.13],
        ['22', 0.05],
      ],
    },
  ])
  await dialog.getByLabel('Sheet of the carrier').setInputFiles(file('prices.xlsx', workbook))
  await dialog.getByRole('button', { name: 'Columns' }).click()
  await dialog.getByText('lines of the sheet “Notes”. Go back to choose another: Prices.').waitFor()
  await look(page, 'sheet-other-sheets')
  await dialog.getByRole('button', { name: 'Back' }).click()
  const chosen = dialog.getByLabel('Sheet of the carrier')
  expect(await chosen.inputValue()).toMatch(/prices\.xlsx$/)
  expect(await dialog.getByLabel('Sheet of the workbook').inputValue()).toBe('Notes')
  await dialog.getByLabel('Sheet of the workbook').selectOption('Prices')
  await dialog.getByRole('button', { name: 'Columns' }).click()
  await dialog.getByText('lines of the sheet “Prices”').waitFor()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('2 of them are new lines').waitFor()
  await dialog.getByRole('row', { name: /raised 21… · new line €0.05 €0.13/ }).waitFor()
  await dialog.getByRole('row', { name: /added 22… €0.05 €0.05/ }).waitFor()
  await look(page, 'sheet-new-lines')
})

test('on a phone, in German and dark', async () => {
  const owner = await world.addUser('otto', 'owner')
  const page = await browser.visit('/carriers/sandbox-sms?tab=costs', {
    ...{ user: owner, size: 'phone', theme: 'dark', language: 'de' },
  })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Preisblatt importieren' }).click()
  await dialog.getByLabel('Preisblatt des Carriers').setInputFiles(file('preise.csv', germanSheet(9_000)))
  await dialog.getByLabel('Währung').fill('EUR')
  await keepScreenshot(page, 'phone-sheet-file')
  await dialog.getByRole('button', { name: 'Spalten' }).click()
  await dialog.getByText('Schritt 2 von 3').waitFor()
  await keepScreenshot(page, 'phone-sheet-columns')
  await dialog.getByRole('button', { name: 'Vorschau' }).click()
  await dialog.getByText('unter neuen Kosten').waitFor()
  await look(page, 'phone-sheet-preview')
})
