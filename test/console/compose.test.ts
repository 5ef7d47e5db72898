/** A message is composed by an operator or a user of the account: what it costs, where it goes, how it travels. */
import { expect } from 'vitest'
import { expectAccessible, expectFitsWidth, keepScreenshot, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

test('an operator writes a message, is warned of a character, sends it as a test and sees it fall back', async () => {
  const olga = await world.addUser('olga', 'operator')
  const page = await browser.visit('/compose', { user: olga })
  await page.getByRole('heading', { level: 1, name: 'Compose' }).waitFor()
  // The only account is chosen.
  await page.getByLabel('Sender by RCS').and(page.locator(':has(option)')).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'compose-empty')

  await page.getByLabel('Recipient').fill('+49 170 1234501')
  await page.getByLabel('Text', { exact: true }).fill(`Your parcel arrives today – ${'between 9 and 12 '.repeat(6)}`)
  await page.getByText('“–” cannot be written in the GSM alphabet').waitFor()
  await page.getByText('2 parts · UCS-2 · ChatTest').waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'compose-ucs2')
  await page.getByLabel('Text', { exact: true }).fill('Your parcel arrives today.')
  await page.getByText('1 part · GSM 7-bit · ChatTest').waitFor()

  await page.getByLabel('Contents of RCS and chat app').selectOption('Card with suggestions')
  await page.getByLabel('Title of the card').fill('Parcel 17')
  await page.getByLabel('Address of the image').fill('https://shop.example/parcel.png')
  await page.getByLabel('Link of the button').fill('https://shop.example/parcels/17')
  await page.getByLabel('Caption of the button').fill('Follow it')
  await page.getByLabel('Suggested replies, one a line').fill('Leave it at the door\nTomorrow')
  await page.getByText('Image from shop.example').waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'compose-card')

  await page.getByRole('button', { name: 'Send test message' }).click()
  await page.getByRole('heading', { name: /^Message \d+/ }).waitFor()
  await page.getByText('Falls back to chat app').waitFor()
  await page.getByText('Chat app: delivered').waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'compose-sent')
  expect(page.url()).not.toContain('1234501')
})

test('a real message is confirmed with its price, and an error loses no input', async () => {
  const ben = await world.addUser('ben', 'operator')
  const page = await browser.visit('/compose?account=1', { user: ben, theme: 'dark' })
  await page.getByLabel('Recipient').fill('+49 170 1234500')
  await page.getByLabel('Use RCS').uncheck()
  await page.getByLabel('Use Chat app').uncheck()
  await page.getByLabel('Text', { exact: true }).fill('Hello')
  await page.getByText('goes to the simulator').waitFor()
  await page.getByLabel('Send as').selectOption({ label: 'Real: charged to the account' })
  await page.getByText('goes to sandbox-sms').waitFor()
  await page.getByText('€0.05').first().waitFor()
  await keepScreenshot(page, 'compose-real-dark')
  await page.getByRole('button', { name: 'Send real message' }).click()
  await page.getByText('It goes to a real phone and is charged to Sandbox. At most €0.05.').waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'compose-confirm-dark')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.getByLabel('Send as').selectOption({ label: 'Test: simulated phone, free' })
  await page.getByLabel('Text', { exact: true }).fill('x'.repeat(2_000))
  await page.getByText('The client API would refuse it').waitFor()
  await page.getByRole('button', { name: 'Send test message' }).click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByLabel('Recipient').inputValue()).toBe('+49 170 1234500')

  await page.getByRole('tab', { name: 'Request' }).click()
  for (const language of ['curl', 'TypeScript', 'Python', 'PHP']) {
    await page.getByRole('button', { name: language }).click()
    await page
      .getByRole('region', { name: `Request as ${language}` })
      .getByText('<API_KEY>')
      .waitFor()
  }
  await expectAccessible(page)
})

test('an auditor on a phone sees where a message would go, but cannot send it', async () => {
  const aziz = await world.addUser('aziz', 'auditor')
  const page = await browser.visit('/compose?account=1', { user: aziz, size: 'phone', language: 'de' })
  await page.getByLabel('Empfänger').fill('+49 170 1234500')
  await page.getByLabel('Text', { exact: true }).fill('Hallo')
  await page.getByText('geht an den Simulator').first().waitFor()
  expect(await page.getByRole('button', { name: 'Testnachricht senden' }).count()).toBe(0)
  await expectFitsWidth(page)
  await expectAccessible(page)
  await keepScreenshot(page, 'compose-phone')
})

test('a client-admin sees parts and price, sends a test and finds it under Messages', async () => {
  const ada = await world.addUser('ada', 'client-admin', { account: 1 })
  const page = await browser.visit('/', { user: ada })
  await page.getByRole('link', { name: 'Compose' }).click()
  await page.getByText('Fill in recipient and text to see parts and price.').waitFor()
  expect(await page.getByRole('combobox', { name: 'Account' }).count()).toBe(0)
  await page.getByLabel('Recipient').fill('+49 170 1234500')
  await page.getByLabel('Use RCS').uncheck()
  await page.getByLabel('Use Chat app').uncheck()
  await page.getByLabel('Text', { exact: true }).fill('x'.repeat(161))
  await page.getByText('2 parts · GSM 7-bit · ChatTest').waitFor()
  await page.getByLabel('Send as').selectOption({ label: 'Real: charged to the account' })
  await page.getByText('€0.10').first().waitFor()
  expect(await page.locator('main').textContent()).not.toContain('sandbox-')
  await expectAccessible(page)
  await keepScreenshot(page, 'compose-client')
  await page.getByRole('button', { name: 'Send real message' }).click()
  await page.getByText('It goes to a real phone and is charged to Sandbox. At most €0.10.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.getByLabel('Send as').selectOption({ label: 'Test: simulated phone, free' })
  await page.getByRole('button', { name: 'Send test message' }).click()
  await page.getByText('SMS: delivered').first().waitFor()
  const title = await page.getByRole('heading', { name: /^Message \d+/ }).innerText()
  await page.getByRole('link', { name: 'Messages' }).click()
  await page.getByRole('link', { name: /\d+/.exec(title)?.[0] ?? '' }).waitFor()
})

test('a client-reader has no page to compose', async () => {
  const rita = await world.addUser('rita', 'client-reader', { account: 1 })
  const page = await browser.visit('/', { user: rita })
  await page.getByRole('link', { name: 'Messages' }).waitFor()
  expect(await page.getByRole('link', { name: 'Compose' }).count()).toBe(0)
})
