/** What an account may send as, what it pays, and where its money went, in the console. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

async function addAccount(name: string): Promise<number> {
  const { body } = await world.askAdmin('POST', '/accounts', { name })
  return body['account'] as number
}

const pricesOf = async (account: number) =>
  (await world.askAdmin('GET', `/prices?account=${account}`)).body['data'] as readonly object[]

test('an operator approves a sender, rejects it with a reason, and approves it again', async () => {
  const operator = await world.addUser('oscar', 'operator')
  const account = await addAccount('Sender Shop')
  const page = await browser.visit(`/accounts/${account}?tab=senders`, { user: operator })
  await page.getByText('No senders yet').waitFor()
  await page.getByRole('button', { name: 'Approve sender' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('S')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('Blumen')
  await dialog.getByLabel(/^Countries/).fill('de, at')
  await look(page, 'account-sender-add')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('row', { name: /Blumen SMS Approved DE, AT/ }).waitFor()

  await page.getByRole('button', { name: 'Reject: Blumen' }).click()
  await dialog.getByLabel('Reason').fill('Looks like the name of a bank.')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Looks like the name of a bank.').waitFor()
  await look(page, 'account-senders')
  await page.getByRole('button', { name: 'Approve: Blumen' }).click()
  await page.getByRole('row', { name: /Blumen SMS Approved/ }).waitFor()
})

test('an operator limits the rate of a number, and puts it in a pool', async () => {
  const operator = await world.addUser('olga', 'operator')
  const account = await addAccount('Pool Shop')
  const page = await browser.visit(`/accounts/${account}?tab=senders`, { user: operator })
  const dialog = page.getByRole('dialog')
  const approve = async (name: string, label: RegExp, value: string) => {
    await page.getByRole('button', { name: 'Approve sender' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    await dialog.getByLabel(label).fill(value)
    await dialog.getByRole('button', { name: 'Approve' }).click()
  }
  await approve('491701000001', /^Parts a second/, '1,5')
  await dialog.getByText('Enter a number from 0.1 to 10,000').waitFor()
  await dialog.getByLabel(/^Parts a second/).fill('1.5')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('row', { name: /491701000001 At most 1.5 parts a second/ }).waitFor()
  await approve('Shop', /^Members of a pool/, '491701000001, Unknown')
  await dialog.getByText('Unknown is no approved sender of the account').waitFor()
  await dialog.getByLabel(/^Members of a pool/).fill('491701000001')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('row', { name: /Shop Pool of 491701000001/ }).waitFor()
  await look(page, 'account-senders-pool')

  const change = (name: string) => page.getByRole('button', { name: `Change: ${name}` }).click()
  const save = () => dialog.getByRole('button', { name: 'Save' }).click()
  await change('491701000001')
  await dialog.getByLabel(/^Parts a second/).fill('')
  await dialog.getByLabel(/^Registrations by country/).fill('in entity')
  await save()
  await dialog.getByText('Each line must have a country, a name and a value').waitFor()
  await dialog.getByLabel(/^Registrations by country/).fill('in entity 1101234560000012345')
  await look(page, 'account-sender-change')
  await save()
  await dialog.waitFor({ state: 'hidden' })
  await change('Shop')
  await dialog.getByLabel(/^Members of a pool/).fill('')
  await save()
  await page.getByText('Pool of').waitFor({ state: 'detached' })
  const { body } = await world.askAdmin('GET', `/senders?account=${account}`)
  expect(body['data']).toMatchObject([
    { name: '491701000001', per_second: null, registrations: { IN: { entity: '1101234560000012345' } } },
    { name: 'Shop', members: [] },
  ])
})

test('finance copies the general prices after a preview, sets one, and saves and changes them by a file', async () => {
  const finance = await world.addUser('fred', 'finance')
  const account = await addAccount('Price Shop')
  const page = await browser.visit(`/accounts/${account}?tab=prices`, { user: finance })
  await page.getByText('General', { exact: true }).first().waitFor()
  await look(page, 'account-prices-general')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await dialog.getByLabel('Percent').fill('110')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText(/prices would be copied/).waitFor()
  expect(await pricesOf(account)).toEqual([])
  await look(page, 'account-prices-copy')
  await dialog.getByRole('button', { name: 'Copy prices' }).click()
  await page.getByText(/prices are copied/).waitFor()
  expect(await pricesOf(account)).not.toEqual([])
  await look(page, 'account-prices')

  await page.getByRole('button', { name: 'Set price' }).click()
  await dialog.getByLabel(/^Prefix/).fill('+4917')
  await dialog.getByLabel('Price of one part in EUR').fill('0,075')
  await dialog.getByRole('button', { name: 'Set price' }).click()
  await dialog.getByText('Write the price with a decimal point').waitFor()
  await dialog.getByLabel('Price of one part in EUR').fill('0.075')
  await look(page, 'account-price-set')
  await dialog.getByRole('button', { name: 'Set price' }).click()
  await page.getByRole('row', { name: /SMS 4917 – Always Own €0.075/ }).waitFor()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const csv = readFileSync(await (await saved).path(), 'utf8')
  expect(csv).toContain('channel,prefix,operator,from,until,price')
  expect(csv).toContain('sms,4917,,,,0.075')

  await page.getByRole('button', { name: 'Import price list' }).click()
  const file = {
    name: 'prices.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('channel,prefix,price\nsms,4917,0.08\n'),
  }
  await dialog.getByLabel('CSV file').setInputFiles(file)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('0 added, 1 changed, 0 removed:').waitFor()
  await look(page, 'account-prices-import')
  await dialog.getByRole('button', { name: 'Apply file' }).click()
  await page.getByRole('row', { name: /SMS 4917 – Always Own €0.08/ }).waitFor()

  await page.getByRole('button', { name: 'Actions for the price of sms 4917' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The price is removed').waitFor()
  expect(await pricesOf(account)).not.toContainEqual(expect.objectContaining({ prefix: '4917' }))
})

test('finance adds money, corrects it and sets a credit limit; the ledger and the statement show it', async () => {
  const finance = await world.addUser('finn', 'finance')
  const account = await addAccount('Ledger Shop')
  const page = await browser.visit(`/accounts/${account}?tab=ledger`, { user: finance })
  await page.getByText('No postings yet').waitFor()
  expect(await page.getByLabel('Month').locator('option').count()).toBe(1)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add money' }).click()
  await dialog.getByLabel('Amount in EUR').fill('1.234')
  await dialog.getByRole('button', { name: /^Add €1/ }).click()
  await dialog.getByText('This may be thousands: write 1234, or 1.2340.').waitFor()
  await dialog.getByLabel('Amount in EUR').fill('1234567.50')
  await dialog.getByLabel(/^Note/).fill('Invoice 2026-0815')
  await look(page, 'account-top-up')
  await dialog.getByRole('button', { name: 'Add €1,234,567.50' }).click()
  await page.getByText('Invoice 2026-0815').first().waitFor()

  await page.getByRole('button', { name: 'Correct' }).click()
  await dialog.getByLabel('Amount in EUR').fill('-12.5')
  await dialog.getByLabel('Why').fill('Charged twice')
  await dialog.getByRole('button', { name: 'Post -€12.50' }).click()
  await page.getByText('Charged twice').first().waitFor()
  await page.getByRole('button', { name: 'Credit limit' }).click()
  await dialog.getByLabel('Amount in EUR').fill('500')
  await dialog.getByRole('button', { name: 'Set to €500.00' }).click()
  await page.getByText('The credit limit is €500.00').waitFor()
  expect((await world.askAdmin('GET', `/accounts/${account}/balance`)).body).toMatchObject({
    available: 1_234_555,
    credit_limit: 500,
  })
  await page
    .getByRole('row', { name: /Top-up .*\+€1,234,567\.50$/ })
    .first()
    .waitFor()
  await look(page, 'account-ledger')
  const download = async () => {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    const file = await saved
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
  }
  await page.getByText('Months begin and end at midnight in Europe/Berlin').waitFor()
  expect(await download()).toEqual({
    name: expect.stringMatching(/-Europe-Berlin\.csv$/),
    text: expect.stringMatching(/1234567\.5,EUR,Invoice 2026-0815,Europe\/Berlin\n/),
  })
  await page.getByLabel('Time zone').selectOption('UTC')
  await page.getByText('Months begin and end at midnight in UTC').waitFor()
  await page.getByText('Closing balance').waitFor()
  expect((await download()).name).toMatch(/-UTC\.csv$/)
})

test('charges of messages are in the ledger, and on a phone in the dark nothing scrolls sideways', async () => {
  const auditor = await world.addUser('ada', 'auditor')
  const [sent] = await world.send({ type: 'sms', phone: 491701234500, sms_signature: 'SMSTest', sms_message: 'Hello' })
  const refund = async () => (await world.askAdmin('POST', `/messages/${sent}/refunds`, { note: 'Came late' })).status
  await expect.poll(refund).toBe(200)
  const page = await browser.visit('/accounts/1?tab=ledger', { user: auditor, theme: 'dark', size: 'phone' })
  await page.getByRole('cell', { name: 'Hold' }).first().waitFor()
  expect(await page.getByRole('button', { name: 'Add money' }).count()).toBe(0)
  await page
    .getByRole('row', { name: /Hold €0\.\d+$/ })
    .first()
    .waitFor()
  await page
    .getByRole('row', { name: /Charge -€0\.\d+$/ })
    .first()
    .waitFor()
  await page
    .getByRole('row', { name: /Refund \+€0\.\d+$/ })
    .first()
    .waitFor()
  await page.getByRole('row', { name: /^– Refund all of messages in this month \+€0/ }).waitFor()
  await page.getByText(/Corrections\s*\+€0\.\d+ · of that refunds of messages \+€0/).waitFor()
  await look(page, 'account-ledger-phone-dark')
  await page.getByRole('tab', { name: 'Prices' }).click()
  await page.getByRole('table', { name: 'Prices' }).getByRole('cell', { name: 'SMS' }).first().waitFor()
  await look(page, 'account-prices-phone-dark')
})
