/** An operator denies numbers, finds one again, and sets the limits of the installation. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { chooseAccount, look, TestBrowser, test } from './support/browser.ts'
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

test('numbers are denied, found by a phone that they apply to, and removed', async () => {
  const page = await browser.visit('/guards', { user: await world.addUser('anna', 'operator') })
  await page.getByText('No numbers on the lists').waitFor()
  await look(page, 'guards-empty')
  await page.getByRole('button', { name: 'Add number' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Number', { exact: true }).fill('none')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('must be 1 to 15 digits').waitFor()
  await dialog.getByLabel('Number', { exact: true }).fill('0170 1234501')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('begin with a country code').waitFor()
  await dialog.getByLabel('Number', { exact: true }).fill('4')
  const sure = dialog.getByLabel('Stop all messages to numbers that begin with 4')
  await sure.waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await look(page, 'guards-add-country')
  expect((await world.askAdmin('POST', '/guards/numbers/search', {})).body['data']).toEqual([])
  await dialog.getByLabel('This phone only').check()
  expect(await sure.count()).toBe(0)
  await dialog.getByLabel('This phone only').uncheck()
  await dialog.getByLabel('Number', { exact: true }).fill('+49 170')
  expect(await sure.count()).toBe(0)
  await dialog.getByLabel('Note').fill('a campaign against premium numbers')
  await look(page, 'guards-add')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /49170…/ }).waitFor()
  const listed = { list: 'allow', digits: '491701234500', whole: true, note: 'on call' }
  await world.askAdmin('POST', '/guards/numbers', listed)
  await world.askAdmin('POST', '/guards/numbers', { list: 'deny', digits: '881', whole: false, note: 'satellite' })

  await page.getByLabel('Number or note').fill('+49 170 1234500')
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /491701234500/ }).waitFor()
  expect(page.url()).not.toContain('1234500')
  await page.getByRole('row', { name: /881/ }).waitFor({ state: 'detached' })
  await look(page, 'guards')
  await page.getByRole('button', { name: 'Remove 49170…' }).click()
  await dialog.getByRole('button', { name: 'Remove number' }).click()
  await page.getByRole('row', { name: /49170…/ }).waitFor({ state: 'detached' })
})

test('an opt-out is found by its phone and removed, and one is added by hand', async () => {
  const sms = { type: 'sms', phone: 491_701_234_500, sms_signature: 'SMSTest', sms_message: 'Hello' }
  await world.askAdmin('POST', '/accounts/1/opt-outs', { phone: '491701234500' })
  const page = await browser.visit('/guards?tab=opt-outs', { user: await world.addUser('dora', 'support') })
  await page.getByRole('row', { name: /491701234500/ }).waitFor()
  await page.getByRole('button', { name: 'Add opt-out' }).click()
  const dialog = page.getByRole('dialog')
  await chooseAccount(page, 'Account', 'Sandbox')
  await dialog.getByLabel('Phone number').fill('+49 170 1234501')
  await dialog.getByLabel('Sender').fill('SMSTest')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /491701234501 .* SMSTest operator or account/ }).waitFor()
  await look(page, 'guards-opt-outs')

  await page.getByLabel('Phone number').fill('4500')
  await page.keyboard.press('Enter')
  await page.getByText('Enter the whole number').waitFor()
  await page.getByLabel('Phone number').fill('+49 170 1234500')
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /491701234501/ }).waitFor({ state: 'detached' })
  expect(page.url()).not.toContain('1234500')
  await page.getByRole('button', { name: 'Remove the opt-out of 491701234500' }).click()
  await look(page, 'guards-opt-out-remove')
  await dialog.getByRole('button', { name: 'Remove opt-out' }).click()
  await page.getByText('This number has not opted out').waitFor()
  const [message] = await world.send(sms)
  expect((await world.askAdmin('GET', `/messages/${message}`)).body['status']).not.toBe('FILTERED')
})

test('the limits of the installation are set; a wrong one is named beside its field', async () => {
  const page = await browser.visit('/guards?tab=limits', { user: await world.addUser('ben', 'operator') })
  await page.getByLabel('Countries of recipients').fill('de, at')
  await page.getByText('Messages are sent at any hour.').waitFor()
  await page.getByRole('combobox', { name: 'Quiet hours' }).selectOption('At these hours')
  await page.getByLabel('To', { exact: true }).fill('22:00')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText('must begin and end at different times').waitFor()
  await page.getByLabel('To', { exact: true }).fill('07:30')
  await page.getByText('From 22:00 to 07:30, in the time zone of the recipient, messages wait.').waitFor()
  await page.getByRole('button', { name: 'Add limit' }).click()
  const first = page.getByRole('group', { name: 'Limit 1' })
  await first.getByLabel('At most').fill('five')
  await first.getByText('Write a whole number, without separators.').waitFor()
  await page.getByRole('button', { name: 'Save limits' }).click()
  await first.getByLabel('At most').fill('5')
  await first.getByText('At most 5 to each phone in any 1 hour.').waitFor()
  await page.getByRole('button', { name: 'Add limit' }).click()
  const second = page.getByRole('group', { name: 'Limit 2' })
  await second.getByLabel('At most').fill('100')
  await second.getByLabel('Messages and calls to each').selectOption('number beginning')
  await second.getByLabel('Digits of the beginning').fill('7')
  await second.getByLabel('Within', { exact: true }).fill('2')
  await second.getByLabel('Unit: Within').selectOption('minutes')
  await second.getByText('all numbers with the same first 7 digits in any 2 minutes.').waitFor()
  await page.getByRole('button', { name: 'Add limit' }).click()
  const third = page.getByRole('group', { name: 'Limit 3' })
  await page.getByRole('button', { name: 'Save limits' }).click()
  await third.getByText('Write a whole number, without separators.').waitFor()
  expect(await page.getByText('must be limits such as').count()).toBe(0)
  await page.getByRole('button', { name: 'Remove limit 3' }).click()
  // Two thousand in German, and two in English.
  await page.getByLabel('Messages and calls per day').fill('2.000')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText('Write a whole number, without separators.').waitFor()
  await page.getByLabel('Messages and calls per day').fill('2000')
  await look(page, 'guards-limits')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText('Limits saved').waitFor()
  expect((await world.askAdmin('GET', '/guards')).body).toMatchObject({
    allowed_countries: ['DE', 'AT'],
    daily_messages: 2_000,
    quiet_hours: '22:00-07:30',
    velocity_limits: ['5 per phone in 3600 seconds', '100 per prefix of 7 in 120 seconds'],
  })
  // What is stored is shown in the same fields.
  await page.reload()
  await second.getByText('At most 100 to all numbers with the same first 7 digits').waitFor()
})

test('an auditor reads both on a phone, in German', async () => {
  const user = await world.addUser('cleo', 'auditor')
  const page = await browser.visit('/guards', { user, theme: 'dark', size: 'phone', language: 'de' })
  await page.getByText('Sperrliste und Freiliste').first().waitFor()
  expect(await page.getByRole('button', { name: 'Nummer hinzufügen' }).count()).toBe(0)
  await look(page, 'guards-phone-dark')
  await page.getByRole('tab', { name: 'Grenzen' }).click()
  expect(await page.getByRole('combobox', { name: 'Ruhezeit' }).isDisabled()).toBe(true)
  await look(page, 'guards-limits-phone-dark')
})
