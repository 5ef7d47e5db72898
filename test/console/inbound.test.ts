/** Inbound messages in the console: the list, a conversation, and the numbers that recipients write to. */
import { expect, vi } from 'vitest'
import { chooseAccount, look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

/** A loaded machine may be slow. */
const PATIENCE = { timeout: 30_000 }
const PHONE = '491701234520'
const SMS = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Reply with YES to confirm your appointment' }

const { world, browser } = await openConsole()

test('an operator reads what a phone wrote, and what the account and the phone sent each other', async () => {
  const page = await browser.visit('/inbound', { user: await world.addUser('olga', 'operator') })
  await page.getByText('No inbound messages yet').waitFor()
  await look(page, 'inbound-empty')

  const [sent = 0] = await world.send({ ...SMS, id: 'appointment-17', phone: Number(PHONE) })
  await vi.waitFor(() => expect(world.sink.calls.some(({ body }) => body.includes('DELIVERED'))).toBe(true), PATIENCE)
  for (const text of ['YES', 'Can I bring my dog? It is small, friendly and 🐕 does not bark.']) {
    const write = () => world.sandbox.box.write({ channel: 'sms', from: PHONE, to: 'SMSTest', text })
    await vi.waitFor(async () => expect(await write()).toBeNull(), PATIENCE)
  }
  await page.reload()
  await page.getByRole('cell', { name: 'YES' }).waitFor()
  await look(page, 'inbound')

  await page
    .getByRole('button', { name: `Show the conversation with ${PHONE}` })
    .first()
    .click()
  await page.getByRole('heading', { name: `Conversation with ${PHONE}` }).waitFor()
  await page.getByText('Can I bring my dog?').waitFor()
  await page.getByRole('link', { name: `Message ${sent}`, exact: true }).waitFor()
  expect(page.url()).not.toContain(PHONE.slice(-6))
  await look(page, 'conversation')
})

test('a supporter sees that a phone wrote, but not what', async () => {
  const page = await browser.visit('/inbound', { user: await world.addUser('sara', 'support'), theme: 'dark' })
  expect(await page.getByRole('tab', { name: 'Messages' }).count()).toBe(0)
  await chooseAccount(page.getByRole('tabpanel'), 'Account', 'Sandbox')
  await page.getByLabel('Phone number').fill('+49')
  await page.getByRole('button', { name: 'Show conversation' }).click()
  await page.getByText(/must be/).waitFor()
  await page.getByLabel('Phone number').fill(`+${PHONE}`)
  await page.getByRole('button', { name: 'Show conversation' }).click()
  await page.getByText('Your role may not read texts of recipients.').first().waitFor()
  expect(await page.getByText('my dog').count()).toBe(0)
  await look(page, 'conversation-dark')
})

test('an operator adds a number with an automatic reply, changes it and removes it', async () => {
  const page = await browser.visit('/inbound?tab=numbers', { user: await world.addUser('otto', 'operator') })
  await page.getByRole('cell', { name: 'SMSTest', exact: true }).waitFor()
  await look(page, 'inbound-numbers')
  await page.getByRole('button', { name: 'Add number' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Carrier').selectOption('sandbox-sms')
  await dialog.getByLabel('Number, short code or agent').fill('491234')
  await dialog.getByLabel('Keyword').fill('two words')
  await chooseAccount(dialog, 'Account', 'Sandbox')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('must be one word').waitFor()
  await look(page, 'inbound-number-add')
  await dialog.getByLabel('Keyword').fill('Info')
  await dialog.getByLabel('Automatic reply').fill('We are open from 9 to 17.')
  await dialog.getByLabel('Sender of the reply').fill('SMSTest')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'We are open from 9 to 17.' }).waitFor()

  await page.getByRole('button', { name: 'Change: 491234 INFO' }).click()
  const number = { carrier: 'sandbox-sms', address: '491234', keyword: 'info' }
  // Another operator changes it while the dialog is open.
  await world.askAdmin('PUT', '/inbound-numbers', { ...number, hook: 'feed:' })
  await dialog.getByLabel('Automatic reply').fill('We are open from 8 to 18.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'We are open from 8 to 18.' }).waitFor()
  const { body } = await world.askAdmin('GET', '/inbound-numbers')
  expect(body['data']).toContainEqual(expect.objectContaining({ hook: 'feed:', reply: 'We are open from 8 to 18.' }))
  await page.getByRole('button', { name: 'Remove number: 491234 INFO' }).click()
  await look(page, 'inbound-number-remove')
  await dialog.getByRole('button', { name: 'Remove number' }).click()
  await page.getByText('Number removed').waitFor()
  await page.getByRole('cell', { name: '491234' }).first().waitFor({ state: 'detached' })
})

test('a user of the account reads its messages, in German on a phone', async () => {
  const user = await world.addUser('kim', 'client-reader', { account: 1 })
  const page = await browser.visit('/inbound', { user, size: 'phone', language: 'de' })
  await page.getByRole('cell', { name: 'YES' }).waitFor()
  await look(page, 'inbound-phone')
  await page
    .getByRole('button', { name: /Gespräch mit/ })
    .first()
    .click()
  await page.getByText('Can I bring my dog?').waitFor()
  await look(page, 'conversation-phone')
  await page.getByRole('tab', { name: 'Eingehende Nummern' }).click()
  await page.getByRole('cell', { name: 'SMSTest', exact: true }).waitFor()
  await look(page, 'inbound-numbers-phone')
})
