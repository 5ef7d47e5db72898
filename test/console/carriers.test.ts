/** An operator watches carriers: one goes down and comes back, one is drained, settings and costs change. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { expectAccessible, expectFitsWidth, keepScreenshot, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

test('an operator drains a carrier and resumes it', async () => {
  const page = await browser.visit('/', { user: await world.addUser('anna', 'operator') })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  // By keyboard alone: the search takes what is typed at once.
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  await page.keyboard.type('Carriers')
  await page.getByRole('option', { name: /Carriers/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'sandbox-sms' }).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'carriers')

  await page.getByRole('link', { name: 'sandbox-sms' }).click()
  await page.getByRole('heading', { name: 'sandbox-sms' }).waitFor()
  await page
    .getByRole('cell', { name: /transceiver/ })
    .first()
    .waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'carrier')

  await page.getByRole('button', { name: 'Drain' }).click()
  await page.getByRole('dialog').getByText('takes no new messages').waitFor()
  await page.getByRole('dialog').getByText('messages wait until you resume it').waitFor()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Drain' }).click()
  await page.getByText('Drained', { exact: true }).waitFor()

  const sms = { type: 'sms', phone: 491701234501, sms_signature: 'SMSTest', sms_message: 'Hello' }
  const [waiting] = await world.send(sms)
  await page.goto(`${world.console}/messages/${waiting}`)
  const why = page.getByRole('list', { name: 'Why it waits' })
  await why.getByText('Waiting: carrier sandbox-sms is being drained').waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'message-waiting')
  await why.getByRole('link', { name: 'sandbox-sms' }).click()
  await page.getByRole('heading', { name: 'sandbox-sms' }).waitFor()
  await page.getByRole('link', { name: 'Queued messages of the channel' }).waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Up', { exact: true }).first().waitFor()
})

test('finance opens a carrier for its costs and its history, and sees nothing else of it', async () => {
  const page = await browser.visit('/carriers', { user: await world.addUser('felix', 'finance') })
  await page.getByRole('link', { name: 'sandbox-sms' }).click()
  await page.getByRole('heading', { name: 'sandbox-sms', exact: true }).waitFor()
  expect(await page.getByRole('tab').allTextContents()).toEqual(['Costs', 'History'])
  await page.getByRole('table', { name: 'Costs' }).or(page.getByText('No costs')).first().waitFor()
  await page.getByRole('button', { name: 'Import carrier’s sheet' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('table').first().waitFor()
  await page.goto(`${world.console}/carriers/sandbox-rcs?tab=settings`)
  await page.getByRole('tab', { name: 'Costs', selected: true }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a carrier goes down and comes back without a reload', async () => {
  const page = await browser.visit('/carriers', { user: await world.addUser('ben', 'support') })
  const row = page.getByRole('row', { name: /sandbox-sms/ })
  await row.getByText('Up', { exact: true }).waitFor()
  await row.getByText('closed').waitFor()
  await row.getByText('1 of 1 up').waitFor()
  // Further reads get no answer, so only the stream can say that it is down.
  await page.route('**/admin/v1/carriers*', () => undefined)
  await world.sandbox.box.smsc.goDown()
  await row.getByText('Down').waitFor()
  await keepScreenshot(page, 'carrier-down')
  const operator = await world.addUser('bill', 'operator')
  const details = await browser.visit('/carriers/sandbox-sms', { user: operator })
  const link = details.getByRole('row', { name: /transceiver 1/ })
  await link.getByText(/ECONNREFUSED.* · /).waitFor()
  await details.getByRole('button', { name: 'Connect now' }).click()
  await details.getByText('sandbox-sms is connecting').waitFor()
  await expectAccessible(details)
  await keepScreenshot(details, 'carrier-connect')
  await world.sandbox.box.smsc.comeBack()
  await row.getByText('Up', { exact: true }).waitFor()
})

test('a test goes to a phone of the operator, and its timeline appears in place', async () => {
  const page = await browser.visit('/carriers/sandbox-sms', { user: await world.addUser('bea', 'operator') })
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your phone').fill('12')
  await dialog.getByLabel('Sender').fill('Unapproved')
  await dialog.getByRole('button', { name: 'Send test' }).click()
  await dialog.getByText('Invalid phone number').waitFor()
  await dialog.getByLabel('Your phone').fill('491701234800')
  await expectAccessible(page)
  await keepScreenshot(page, 'carrier-test')
  await dialog.getByRole('button', { name: 'Send test' }).click()
  await dialog.getByRole('list', { name: 'Timeline' }).getByText('SMS: delivered').waitFor()
  await dialog.getByText('DELIVERED').first().waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'carrier-tested')
  expect(world.sandbox.box.traffic.to('491701234800')).toMatchObject([{ text: 'Posthorn test of carrier sandbox-sms' }])
})

test('settings are changed, a wrong one is refused in words, and costs are kept', async () => {
  const page = await browser.visit('/carriers/sandbox-sms', { user: await world.addUser('cleo', 'owner') })
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Edit settings' }).click()
  const edited = page.getByRole('dialog')
  await edited.getByRole('button', { name: 'Save' }).click()
  await edited.getByText('Nothing has changed').waitFor()
  await edited.getByLabel('Window').fill('0')
  await edited.getByLabel('Response timeout, milliseconds').fill('soon')
  await edited.getByRole('button', { name: 'Save' }).click()
  // Beside the field, which has the focus.
  await edited.getByLabel('Window').and(page.locator('[aria-invalid=true]:focus')).waitFor()
  await edited.getByText('should be a whole number from 1 to 10000').first().waitFor()
  await edited.getByLabel('Response timeout, milliseconds').and(page.locator('[aria-invalid=true]')).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'carrier-settings-form')
  await edited.getByLabel('Window').fill('')
  await edited.getByLabel('Response timeout, milliseconds').fill('')
  await edited.getByRole('button', { name: 'JSON' }).click()
  const box = page.getByRole('dialog').getByLabel('Settings', { exact: true })
  const before = JSON.parse(await box.inputValue())
  await box.fill('[3]')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('must be a JSON object').waitFor()
  await box.fill(JSON.stringify({ ...before, thruoghput: 3 }))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByText('did you mean throughput').first().waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'carrier-settings')
  await box.fill(JSON.stringify({ ...before, throughput: 400 }))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').waitFor()
  const { body } = await world.askAdmin('GET', '/carriers/sandbox-sms')
  expect(body).toMatchObject({ settings: { throughput: 400 } })

  await page.getByRole('tab', { name: 'Costs' }).click()
  await page.getByRole('button', { name: 'Set cost' }).click()
  await page.getByRole('dialog').getByLabel('Numbers').fill('4917')
  await page.getByRole('dialog').getByLabel('Cost of a part').fill('0,0123')
  await page.getByRole('dialog').getByLabel('Currency').fill('eur')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: /0\.0123/ }).waitFor()
  await expectAccessible(page)
})

test('an operator asks for the balance at a carrier now', async () => {
  const amounts = ['12.50', '7.25']
  const upstream = createServer(({ url }, response) => {
    const amount = url === '/balance' ? (amounts.shift() ?? '7.25') : null
    response.end(JSON.stringify({ amount }))
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const balance = { request: { method: 'GET', address: `${address}/balance` }, amount: { path: 'amount' } }
  const settings = {
    request: { address: `${address}/send`, json: { text: '{{text}}' } },
    answer: { id: 'ours' },
    balance,
  }
  const added = await world.askAdmin('PUT', '/carriers/paid', { kind: 'http', channel: 'sms', route: null, settings })
  expect(added.status).toBe(200)
  const page = await browser.visit('/carriers/paid', { user: await world.addUser('bob', 'operator') })
  await page.getByText('12.50').waitFor()
  await expect
    .poll(
      async () => {
        await page.getByRole('button', { name: 'Ask now' }).click()
        return page.getByText('7.25').count()
      },
      { timeout: 20_000, interval: 1_000 },
    )
    .toBe(1)
  await expectAccessible(page)
  await world.askAdmin('DELETE', '/carriers/paid')
  await new Promise((resolve) => upstream.close(resolve))
})

test('the form keeps texts of several lines in a list, and shows what is wrong with an item', async () => {
  const auth = {
    ...{ kind: 'signature', at: { header: 'X-Signature' }, keys: ['first', 'second'], timestamp: { header: 'X-Time' } },
    signed: ['{{timestamp}}\n{{body}}'],
  }
  const settings = {
    request: { address: 'http://127.0.0.1:9/send', json: { text: '{{text}}' } },
    answer: { id: { path: 'id' } },
    receipt: { auth, id: 'id', status: 'status', outcomes: { done: 'delivered' } },
  }
  const input = { kind: 'http', channel: 'sms', route: null, settings }
  expect(await world.askAdmin('PUT', '/carriers/signed', input)).toMatchObject({ status: 200 })
  const page = await browser.visit('/carriers/signed', { user: await world.addUser('dave', 'owner') })
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Edit settings' }).click()
  const edited = page.getByRole('dialog')
  const signed = edited.getByRole('textbox', { name: 'Signed (optional)' })
  expect(await signed.inputValue()).toBe(JSON.stringify(auth.signed, null, 2))
  await signed.fill('["{{bod}}\\n"]')
  await edited.getByRole('button', { name: 'Save' }).click()
  await edited.getByText('{{bod}} is not a part of a call').first().waitFor()
  await signed.fill('["{{timestamp}}\\n{{body}}\\n"]')
  await edited.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').waitFor()
  const { body } = await world.askAdmin('GET', '/carriers/signed')
  const changed = { ...auth, keys: ['<kept>', '<kept>'], signed: ['{{timestamp}}\n{{body}}\n'] }
  expect(body).toMatchObject({ settings: { receipt: { auth: changed } } })
})

test('an operator adds a carrier of a provider from the answers to its questions', async () => {
  const page = await browser.visit('/carriers', { user: await world.addUser('dana', 'operator'), size: 'phone' })
  await page.getByRole('button', { name: 'Add carrier' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Provider').selectOption("Africa's Talking")
  await dialog.getByLabel('API key').fill('atsk_0123456789')
  await dialog.getByLabel('Username').fill('not a name')
  await dialog.getByLabel('Route all numbers to it').uncheck()
  await expectAccessible(page)
  await expectFitsWidth(page)
  await keepScreenshot(page, 'carrier-add-provider')
  await dialog.getByRole('button', { name: 'Add carrier' }).click()
  await dialog.getByText('must be letters, digits, dots and dashes').waitFor()
  expect(await dialog.getByLabel('API key').getAttribute('type')).toBe('password')
  await dialog.getByLabel('Username').fill('shopapp')
  await dialog.getByRole('button', { name: 'Add carrier' }).click()
  await dialog.getByText(/\/carriers\/africastalking\/inbound\/[\w-]{32}/).waitFor()
  await expectAccessible(page)
  await expectFitsWidth(page)
  await keepScreenshot(page, 'carrier-added-provider')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('heading', { name: 'africastalking' }).waitFor()

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByText('PUBLIC_URL/carriers/africastalking/inbound/TOKEN').waitFor()
  await page.getByText('"bulkSMSMode": "1"').waitFor()
  await page.getByRole('button', { name: 'Edit settings' }).click()
  const edited = page.getByRole('dialog')
  await edited.getByLabel('Username').and(page.locator('[value=shopapp]')).waitFor()
  await edited.getByRole('button', { name: 'Save' }).click()
  await edited.getByText('Nothing has changed').waitFor()
  await edited.getByLabel('Username').fill('a/b')
  await edited.getByLabel('Host').fill('evil.example')
  await edited.getByRole('button', { name: 'Save' }).click()
  await edited.getByText('must be letters, digits, dots and dashes').waitFor()
  await edited.getByText('must be api.africastalking.com, or its sandbox').waitFor()
  await expectAccessible(page)
  await expectFitsWidth(page)
  await keepScreenshot(page, 'carrier-edit-provider')
  await edited.getByLabel('Username').fill('other')
  await edited.getByLabel('Host').fill('api.africastalking.com')
  await edited.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').waitFor()
  const { body } = await world.askAdmin('GET', '/carriers/africastalking')
  expect(body).toMatchObject({ settings: { constants: { username: 'other' }, secrets: { apiKey: '<kept>' } } })

  await page.getByRole('button', { name: 'Edit settings' }).click()
  await page.getByRole('button', { name: 'All settings' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'JSON' }).waitFor()
  await expectAccessible(page)
})

test('an operator adds a carrier', async () => {
  const page = await browser.visit('/carriers', {
    user: await world.addUser('dora', 'operator'),
    theme: 'dark',
    size: 'phone',
  })
  await page.getByRole('button', { name: 'Add carrier' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add carrier' }).click()
  await dialog.getByText('required', { exact: true }).waitFor()
  await dialog.getByLabel('Name').fill('parrot')
  await dialog.getByLabel('Protocol').selectOption('smpp')
  await expectAccessible(page)
  await expectFitsWidth(page)
  await keepScreenshot(page, 'carrier-add-phone-dark')
  await dialog.getByLabel('Host', { exact: true }).fill('127.0.0.1')
  await dialog.getByLabel('Port', { exact: true }).fill('9')
  await dialog.getByLabel('System ID').fill('x')
  await dialog.getByLabel('Password').fill('y')
  await dialog.getByText('Further settings').click()
  await dialog.getByLabel('Use: TLS').waitFor()
  await dialog.getByRole('group', { name: 'Receipt states' }).getByRole('button', { name: 'Add entry' }).click()
  await dialog.getByLabel('Receipt states: name 1').fill('BLOCKED')
  await dialog.getByLabel('Receipt states: value 1').selectOption('undeliverable')
  await expectAccessible(page)
  await expectFitsWidth(page)
  await dialog.locator('input[name="route.priority"]').fill('250')
  await dialog.getByRole('button', { name: 'Add carrier' }).click()
  await page.getByRole('heading', { name: 'parrot' }).waitFor()
  await page.getByText('Down').first().waitFor()
  await expectFitsWidth(page)
  await keepScreenshot(page, 'carrier-phone-dark')
  const routes = (await world.askAdmin('GET', '/routes')).body['data'] as readonly object[]
  expect(routes).toContainEqual(expect.objectContaining({ carrier: 'parrot', prefix: '', priority: 250 }))
  const { body } = await world.askAdmin('GET', '/carriers/parrot')
  expect(body).toMatchObject({
    settings: {
      ...{ host: '127.0.0.1', port: 9, systemId: 'x', password: '<kept>' },
      receiptStates: { BLOCKED: 'undeliverable' },
    },
  })
})
