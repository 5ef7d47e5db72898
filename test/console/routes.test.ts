/** An operator asks where a number would go, and changes the routes. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import {
  chooseAccount,
  expectAccessible,
  expectFitsWidth,
  keepScreenshot,
  look,
  TestBrowser,
  test,
} from './support/browser.ts'
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

test('a number is tried: its operator, the carriers, the price, and why it would be stopped', async () => {
  const page = await browser.visit('/routes', { user: await world.addUser('anna', 'owner') })
  await chooseAccount(page, 'Account', 'Sandbox')
  await page.getByLabel('Phone number').fill('not a phone')
  await page.getByRole('button', { name: 'Try' }).click()
  await page
    .getByText(/phone number/i)
    .nth(1)
    .waitFor()
  await page.getByLabel('Phone number').fill('+49 170 1234500')
  await page.getByLabel('Text').fill(`Grüße – ${'sehr '.repeat(20)}`)
  await page.getByRole('button', { name: 'Try' }).click()
  await page.getByText('goes to sandbox-sms').waitFor()
  await page
    .getByText(/2 parts · UCS-2/)
    .first()
    .waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'routes')
  await expectFitsWidth(page)
})

test('a route is added, changed, filtered and removed', async () => {
  const page = await browser.visit('/routes', { user: await world.addUser('ben', 'operator'), theme: 'dark' })
  await page.getByRole('button', { name: 'Add route' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Carrier').selectOption('sandbox-sms')
  expect(await dialog.getByLabel('Priority').inputValue()).toBe('100')
  await dialog.getByLabel('Ring time, seconds').fill('30')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('only a route for calls has a ring time').waitFor()
  await dialog.getByLabel('Ring time, seconds').fill('')
  await dialog.getByLabel('Numbers').fill('043')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('must begin with a country code').waitFor()
  await keepScreenshot(page, 'route-dialog')
  await dialog.getByLabel('Numbers').fill('43')
  expect(await dialog.getByText('must begin with a country code').count()).toBe(0)
  await dialog.getByLabel('Weight').fill('0')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog
    .getByText(/weight/i)
    .nth(1)
    .waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'route-add-dark')
  await dialog.getByLabel('Weight').fill('7')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row', { name: /43…/ })
  await row.waitFor()

  await row.getByRole('button', { name: 'Edit route' }).click()
  await dialog.getByLabel('Priority').fill('3')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByRole('cell', { name: '3', exact: true }).waitFor()

  await page.getByLabel('All carriers').selectOption('sandbox-sms')
  expect(page.url()).toContain('carrier=sandbox-sms')
  await row.getByRole('button', { name: 'Remove route' }).click()
  await dialog.getByRole('button', { name: 'Remove route' }).click()
  await row.waitFor({ state: 'detached' })
})

test('an account that is typed is taken if it is the only match; other text keeps the route from being saved', async () => {
  await world.askAdmin('POST', '/accounts', { name: 'Bakery', currency: 'EUR' })
  const page = await browser.visit('/routes', { user: await world.addUser('fay', 'operator') })
  await page.getByRole('button', { name: 'Add route' }).click()
  const dialog = page.getByRole('dialog')
  const account = dialog.getByRole('combobox', { name: 'Account' })
  await dialog.getByLabel('Carrier').selectOption('sandbox-sms')
  await dialog.getByLabel('Numbers').fill('+44 7700')

  // Enter is pressed before the list of all accounts has followed the typing.
  await account.click()
  await dialog.getByRole('option', { name: /Sandbox/ }).waitFor()
  await account.pressSequentially('Unknown')
  await page.keyboard.press('Enter')
  await dialog.getByText('Choose one of the list.').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect(await account.and(page.locator(':focus')).count()).toBe(1)
  await look(page, 'route-account-unchosen')

  await account.fill('bak')
  await dialog.getByLabel('Weight').click()
  await expect.poll(() => account.inputValue()).toMatch(/^Bakery · \d+$/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row', { name: /447700…/ })
  await row.getByRole('cell', { name: /Bakery/ }).waitFor()
})

test('a number that is empty, or has a separator, is refused at its field', async () => {
  const page = await browser.visit('/routes', { user: await world.addUser('gil', 'operator') })
  const dialog = page.getByRole('dialog')
  const isRefused = async (label: string, text: string) => {
    await dialog.getByLabel(label).fill(text)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Write a whole number, without separators.').waitFor()
  }
  await page
    .getByRole('row', { name: /sandbox-sms/ })
    .first()
    .getByRole('button', { name: 'Edit route' })
    .click()
  await isRefused('Priority', '')
  await isRefused('Priority', '1.000')
  await dialog.getByLabel('Priority').fill('100')
  await isRefused('Weight', '')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('tab', { name: 'Number pools' }).click()
  await page.getByRole('button', { name: 'Add pool' }).click()
  await dialog.getByLabel('Id').fill('munich')
  await dialog.getByLabel('Numbers and ranges').fill('498912340000-498912340009')
  await isRefused('Code digits', '')
})

test('a route keeps what another operator changed while its dialog was open', async () => {
  await world.askAdmin('PUT', '/routes', { carrier: 'sandbox-sms', prefix: '48', priority: 100, weight: 1 })
  const page = await browser.visit('/routes', { user: await world.addUser('hal', 'operator') })
  const row = page.getByRole('row', { name: /48…/ })
  await row.getByRole('button', { name: 'Edit route' }).click()
  await world.askAdmin('PATCH', '/routes', { carrier: 'sandbox-sms', prefix: '48', priority: 60 })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Weight').fill('3')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByRole('cell', { name: '3', exact: true }).waitFor()
  await row.getByRole('cell', { name: '60', exact: true }).waitFor()
})

test('a route for calls shows its number pool and how long it rings', async () => {
  await world.askAdmin('PUT', '/routes', { carrier: 'sandbox-voice', prefix: '41', pool: 'sandbox', ring_seconds: 12 })
  const page = await browser.visit('/routes', { user: await world.addUser('pia', 'operator') })
  await page.getByRole('row', { name: /41….*sandbox rings 12 s/ }).waitFor()
})

test('a number pool is added, gets more numbers, and one of them is found', async () => {
  const page = await browser.visit('/routes?tab=pools', { user: await world.addUser('cleo', 'operator') })
  await page.getByRole('row', { name: /sandbox.*route call every number to sandbox-voice/ }).waitFor()
  await page.getByRole('button', { name: 'Add pool' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Id').fill('sandbox')
  await dialog.getByLabel('Numbers and ranges').fill('4930123400000-4930123400009')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('pool sandbox exists already').waitFor()
  await look(page, 'pool-add')
  await dialog.getByLabel('Id').fill('berlin')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row', { name: /berlin/ })
  await row.getByRole('cell', { name: '10', exact: true }).waitFor()
  await look(page, 'pools')

  await page.getByRole('button', { name: 'Actions for berlin' }).click()
  await page.getByRole('menuitem', { name: 'Change numbers' }).click()
  await dialog.getByLabel('Numbers and ranges').fill('4930123400010\nnot a number')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/line 2: "not a number" is neither a number/).waitFor()
  await dialog.getByLabel('Numbers and ranges').fill('4930123400010\n4930999900000,4930999900099')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByRole('cell', { name: '111', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Actions for berlin' }).click()
  await page.getByRole('menuitem', { name: 'Show numbers' }).click()
  await dialog.getByLabel('Find a number').fill('+49 30 9999 00017')
  await page.keyboard.press('Enter')
  await dialog.getByRole('cell', { name: '4930999900099' }).waitFor()
  await dialog.getByText('4930123400000').waitFor({ state: 'detached' })
  await look(page, 'pool-numbers')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Actions for berlin' }).click()
  await page.getByRole('menuitem', { name: 'Remove pool' }).click()
  await dialog.getByLabel('Type berlin to confirm').fill('berlin')
  await dialog.getByRole('button', { name: 'Remove pool' }).click()
  await row.waitFor({ state: 'detached' })
})

test('number pools fit on a phone', async () => {
  const user = await world.addUser('dan', 'auditor')
  const page = await browser.visit('/routes?tab=pools', { user, theme: 'dark', size: 'phone', language: 'de' })
  await page.getByRole('cell', { name: 'sandbox', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Pool hinzufügen' }).count()).toBe(0)
  await look(page, 'pools-phone-dark')
})

test('an operator is found, named, and gets a prefix; a number of it goes there', async () => {
  const page = await browser.visit('/routes?tab=operators', { user: await world.addUser('emil', 'operator') })
  await page.getByLabel('Name, or MCC and MNC').fill('26202')
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: /262-02/ })
  await row.getByRole('cell', { name: 'Germany' }).waitFor()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Change name' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Vodafone DE')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Vodafone DE').waitFor()
  await look(page, 'operators')

  await page.getByRole('button', { name: 'Add prefix' }).click()
  await dialog.getByLabel('Prefix').fill('+49 15999')
  await dialog.getByLabel('MCC and MNC').fill('262')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('must be its MCC and MNC').waitFor()
  await look(page, 'operator-add')
  await dialog.getByLabel('MCC and MNC').fill('262-02')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Prefix 4915999 saved').waitFor()
  const { body } = await world.askAdmin('GET', '/operators/prefixes?prefix=4915999')
  expect(body).toMatchObject({ data: [{ mccmnc: '26202', name: 'Vodafone DE' }] })
  // Lists show it by name.
  await world.askAdmin('PUT', '/costs', { carrier: 'sandbox-sms', operator: '26202', price: 0.02 })
  const costs = await browser.visit('/carriers/sandbox-sms?tab=costs', { user: await world.addUser('eva', 'owner') })
  await costs.getByRole('cell', { name: 'Vodafone DE (262-02)' }).waitFor()
  await costs.close()

  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Show prefixes' }).click()
  await dialog.getByLabel('Begins with').fill('49159')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Remove 4915999…' }).waitFor()
  await look(page, 'operator-prefixes')
  await dialog.getByRole('button', { name: 'Remove 4915999…' }).click()
  await dialog.getByRole('button', { name: 'Remove prefix' }).click()
  await page.getByText('Prefix 4915999 removed').waitFor()
})

test('mobile operators fit on a phone, in German', async () => {
  const user = await world.addUser('frida', 'support')
  const page = await browser.visit('/routes?tab=operators&search=262', {
    user,
    theme: 'dark',
    size: 'phone',
    language: 'de',
  })
  await page.getByRole('cell', { name: '262-02', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Vorwahl hinzufügen' }).count()).toBe(0)
  await look(page, 'operators-phone-dark')
})
