/** Bulks in the console alone: an operator and a user of an account upload one, start, pause and stop it. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { writeXlsx } from '../support/write-xlsx.ts'
import { expectAccessible, expectFitsWidth, keepScreenshot, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

/** Numbers of simulated phones that get what they are sent. */
const phoneOf = (line: number) => `+49 170 ${String(line + 2_000_000).slice(1)}00`
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => `Name ${index};${phoneOf(index)}`)

async function chooseFile(page: Page, ...rows: readonly string[]): Promise<void> {
  const buffer = Buffer.from(`First name;Mobile\n${rows.join('\n')}\n`)
  await page.locator('input[type=file]').setInputFiles({ name: 'spring.csv', mimeType: 'text/csv', buffer })
}

/** Fills the form of a new bulk by SMS, up to its first lines. */
async function compose(page: Page, rows: readonly string[], pace: string): Promise<void> {
  await page.getByLabel('Sender by SMS').and(page.locator(':has(option)')).waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Hello {{name}}, your voucher waits.')
  await chooseFile(page, ...rows)
  await page.getByText('Choose a column for {{name}}.').waitFor()
  await page.getByLabel('Column for {{name}}').selectOption('First name')
  await page.getByLabel('Messages per second').fill(pace)
}

test('an operator uploads a bulk, starts it, slows it down, pauses and continues it, and reads its report', async () => {
  const page = await browser.visit('/bulks', { user: await world.addUser('olga', 'operator') })
  await page.getByText('No bulks yet').waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'bulks-empty')
  await page.getByRole('link', { name: 'New bulk' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'New bulk' }).waitFor()
  await page.getByLabel('Send as').selectOption({ label: 'Real: charged to the account' })
  const junk = { name: 'spring.xlsx', mimeType: 'application/octet-stream', buffer: Buffer.of(1, 0, 2, 0, 255) }
  await page.locator('input[type=file]').setInputFiles(junk)
  await page.getByText('This is not a CSV or XLSX file.').waitFor()
  await compose(page, [...rowsOf(40), 'Wrong;12', `Twice;${phoneOf(3)}`, ';4917012345601'], '2')
  await page.getByText('Hello Name 0, your voucher waits.').waitFor()
  expect(await page.getByLabel('Column with the phone number').inputValue()).toBe('1')
  await page.getByText('€0.05').first().waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'bulk-new')

  await page.getByRole('button', { name: 'Create and upload' }).click()
  await page.getByRole('heading', { level: 1, name: /^Bulk \d+$/ }).waitFor()
  await page.getByText('43 of 43 lines are uploaded.').waitFor()
  await page.getByText('1 duplicate dropped').waitFor()
  await page.getByRole('table', { name: 'By reason' }).getByText('Invalid phone number').waitFor()
  const [refused] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(readFileSync(await refused.path(), 'utf8')).toContain('42,41,phone,Invalid phone number')
  await expectAccessible(page)
  await keepScreenshot(page, 'bulk-uploaded')

  await page.getByLabel('Which file').selectOption('Further lines, such as corrected ones')
  await chooseFile(page, `Corrected;${phoneOf(41)}`)
  await page.getByLabel('Column for {{name}}').selectOption('First name')
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByText('1 of 1 lines are uploaded.').waitFor()
  await page.getByText('The bulk has 44 lines.').waitFor()

  await page.getByRole('button', { name: 'Start' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('41 lines will be sent, for at most €2.05.').waitFor()
  await dialog.getByText('Available:').waitFor()
  await keepScreenshot(page, 'bulk-start')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await page.getByText('Running').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await dialog.getByText('wait and are not sent until it is continued').waitFor()
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused by an operator.').waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'bulk-paused')
  const number = Number(/\d+$/.exec(page.url())?.[0])
  const { body } = await world.askAdmin('GET', `/accounts/1/bulks/${number}`)
  const left = Number(body['waiting'])
  const cost = `€${(left * 0.05).toFixed(2)}`
  expect(body).toMatchObject({
    state: 'paused',
    pace: 2,
    created_by: 'olga',
    created_by_kind: 'operator',
    refused: 2,
    duplicates: 1,
  })

  await page.getByRole('button', { name: 'Change' }).click()
  await dialog.getByLabel('Messages per second').fill('500')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Continue sending' }).click()
  await dialog.getByRole('heading', { name: `Continue bulk ${number}?` }).waitFor()
  await dialog.getByText(`${left} lines will still be sent, for about ${cost}.`).waitFor()
  await keepScreenshot(page, 'bulk-continue')
  await dialog.getByRole('button', { name: 'Continue sending' }).click()
  await page.getByText('Finished').waitFor()
  await page.getByText('DELIVERED', { exact: true }).waitFor()
  const progress = page.getByRole('list', { name: 'Progress' }).getByRole('listitem')
  expect(await progress.allTextContents()).toEqual(['Delivered4195.3%', 'Refused24.7%'])
  await keepScreenshot(page, 'bulk-finished')
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download report' }).click(),
  ])
  const lines = readFileSync(await report.path(), 'utf8')
    .trimEnd()
    .split('\n')
  expect(lines).toHaveLength(42)
  expect(lines[1]).toMatch(/^\d+,,49170\d+00,DELIVERED,sms,1,0.05,EUR,/)
  await page.getByRole('link', { name: 'Show messages' }).click()
  await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
  await page.getByText('41 rows').waitFor()
})

test('a user of the account schedules a test, and stops it; an upload that broke off goes on after a reload', async () => {
  const client = await world.addUser('carla', 'client-admin', { account: 1 })
  const page = await browser.visit('/bulks/new', { user: client, theme: 'dark' })
  const workbook = writeXlsx([
    {
      name: 'Recipients',
      rows: [
        ['Phone', 'Name'],
        [491_701_234_500, 'Workbook'],
      ],
    },
  ])
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  await page.getByLabel('Text', { exact: true }).fill('Hello {{name}}')
  await page.locator('input[type=file]').setInputFiles({ name: 'spring.xlsx', mimeType, buffer: Buffer.from(workbook) })
  await page.getByText('Hello Workbook').waitFor()
  await page.getByText('491701234500').waitFor()
  await compose(page, rowsOf(12), '5')
  await page.getByText('Hello Name 9, your voucher waits.').waitFor()
  await keepScreenshot(page, 'bulk-client-dark')
  // The gateway is out of reach while the file is uploaded.
  await page.route('**/lines', (route) => route.fulfill({ status: 422, json: { title: 'Refused', detail: 'broken' } }))
  await page.getByRole('button', { name: 'Create and upload' }).click()
  await page.getByText('The upload broke off. What was stored stays. broken').waitFor()
  browser.expectNoFaults(/422/)
  await page.unroute('**/lines')
  await page.reload()
  await page.getByText('Choose the file with the recipients.').waitFor()
  await chooseFile(page, ...rowsOf(12))
  await page.getByLabel('Column for {{name}}').selectOption('First name')
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByText('12 of 12 lines are uploaded.').waitFor()

  await page.getByRole('button', { name: 'Start' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('When').selectOption('At a time')
  await dialog.getByLabel('Start at').fill(`${new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)}T08:30`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Start' }).click()
  await page.getByText('Scheduled').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await dialog.getByText('12 lines wait and are never sent').waitFor()
  await keepScreenshot(page, 'bulk-stop-dark')
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped').waitFor()
  await page.getByRole('list', { name: 'Progress' }).getByText('Not sent').waitFor()
  await page.getByRole('link', { name: 'Bulks' }).first().click()
  const table = page.getByRole('table', { name: 'Bulks' })
  await table.getByText('Test').first().waitFor()
  await table.getByText('Hello {{name}}, your voucher waits.').first().waitFor()
  await table
    .getByText(/^SMS · \w+Test$/)
    .first()
    .waitFor()
  await keepScreenshot(page, 'bulks-dark')
})

test('a reader on a phone sees the bulks in German, and changes nothing', async () => {
  const message = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hallo' }
  const { body } = await world.askAdmin('POST', '/accounts/1/bulks', { message, test: false })
  await world.askAdmin('POST', `/accounts/1/bulks/${body['bulk']}/lines`, { csv: 'phone\n491701234500\n12\n' })
  const reader = await world.addUser('rita', 'client-reader', { account: 1 })
  const page = await browser.visit('/bulks', { user: reader, size: 'phone', language: 'de' })
  await page.getByRole('link', { name: String(body['bulk']) }).waitFor()
  await expectFitsWidth(page)
  await expectAccessible(page)
  await keepScreenshot(page, 'bulks-phone')
  await page.getByRole('link', { name: String(body['bulk']) }).click()
  await page.getByRole('heading', { level: 2, name: 'Abgelehnte Zeilen' }).waitFor()
  await expectFitsWidth(page)
  await expectAccessible(page)
  await keepScreenshot(page, 'bulk-phone')
  for (const name of ['Starten', 'Stoppen', 'Hochladen', 'Ändern']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  }
})
