/** Messages that wait, in the console: sent now, cancelled singly, or discarded with a queue of account or carrier. */
import { expect } from 'vitest'
import { keepScreenshot, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

/** Messages for tomorrow. */
const plan = (...phones: readonly number[]) => {
  const send_at = new Date(Date.now() + 86_400_000).toISOString()
  const text = { sms_signature: 'SMSTest', sms_message: 'Hello' }
  return world.send(...phones.map((phone) => ({ type: 'sms', phone, send_at, ...text })))
}

test('an operator sends a waiting message now, cancels another and discards the rest', async () => {
  const [first, second] = await plan(491701234601, 491701234701, 491701234801, 491701234901)
  const operator = await world.addUser('otto', 'operator')
  const page = await browser.visit(`/messages/${first}`, { user: operator })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Send now' }).click()
  await dialog.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('button', { name: 'Cancel message' }).waitFor({ state: 'detached' })
  expect((await world.askAdmin('GET', `/messages/${first}`)).body['status']).not.toBe('CANCELLED')

  const another = await world.addUser('ole', 'operator')
  const other = await browser.visit(`/messages/${second}`, { user: another, language: 'de' })
  await other.getByRole('button', { name: 'Nachricht abbrechen' }).click()
  const question = other.getByRole('dialog')
  await question.getByRole('button', { name: 'Nachricht behalten' }).click()
  await question.waitFor({ state: 'detached' })
  expect((await world.askAdmin('GET', `/messages/${second}`)).body['status']).not.toBe('CANCELLED')
  await other.getByRole('button', { name: 'Nachricht abbrechen' }).click()
  await question.getByRole('button', { name: 'Nachricht abbrechen' }).click()
  await other.getByRole('button', { name: 'Nachricht abbrechen' }).waitFor({ state: 'detached' })
  expect((await world.askAdmin('GET', `/messages/${second}`)).body['status']).toBe('CANCELLED')

  const account = await browser.visit('/accounts/1', { user: await world.addUser('olga', 'operator') })
  await account.getByText('Available').first().waitFor()
  expect(await account.getByRole('button', { name: 'Discard what is queued' }).count()).toBe(0)
  await world.askAdmin('PATCH', '/accounts/1', { state: 'suspended' })
  await account.reload()
  await account.getByText('2 messages wait that no carrier has').waitFor()
  await account.getByRole('button', { name: 'Discard what is queued' }).click()
  const asked = await account.getByRole('dialog').innerText()
  expect(asked).toContain('2 messages wait that no carrier has')
  expect(asked).toContain('0.10')
  await account.getByRole('dialog').getByRole('button', { name: 'Discard what is queued' }).click()
  await account.getByText('2 messages were cancelled').waitFor()
  expect((await world.askAdmin('GET', '/accounts/1/queue')).body).toMatchObject({ messages: 0, held: 0 })
})

test('an operator discards what waits for a drained carrier alone, with the count and the money before', async () => {
  await world.askAdmin('PATCH', '/accounts/1', { state: 'active' })
  await world.askAdmin('POST', '/carriers/sandbox-sms/drain')
  const text = { sms_signature: 'SMSTest', sms_message: 'Hello' }
  const sent = await world.send({ type: 'sms', phone: 491701235001, ...text })
  const planned = await plan(491701235101)
  const page = await browser.visit('/carriers/sandbox-sms', { user: await world.addUser('omar', 'operator') })
  await page.getByRole('button', { name: 'Discard what waits' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 message of 1 account, with €0.05 on hold').waitFor()
  await keepScreenshot(page, 'carrier-discard')
  await dialog.getByRole('button', { name: 'Discard what waits' }).click()
  await page.getByText('1 message was cancelled').waitFor()
  const statuses = [...sent, ...planned].map(
    async (id) => (await world.askAdmin('GET', `/messages/${id}`)).body['status'],
  )
  expect(await Promise.all(statuses)).toEqual(['CANCELLED', 'QUEUED'])
})
