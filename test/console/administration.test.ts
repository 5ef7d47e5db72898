/** Alarms and their notifications, users and their tokens, and the log of all changes. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { expectAccessible, expectFitsWidth, keepScreenshot, look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

/** Alarms are looked for every few seconds, and so is their list. */
const LONGEST_MS = 60_000

const { world, browser } = await openConsole({ 'hook-allow': '127.0.0.0/8' })

test('an operator adds a notification target, tests it, and acknowledges an alarm', async () => {
  const user = await world.addUser('anna', 'operator')
  await world.askAdmin('PUT', '/alarm-rules/carrier_down', { open_after_seconds: 0 })
  const page = await browser.visit('/alarms', { user })
  await page.getByRole('tab', { name: 'Notifications' }).click()
  await page.getByText('No notification targets yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add target' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('on-call')
  await dialog.getByRole('combobox', { name: 'Sent by' }).selectOption('hook')
  await dialog.getByLabel('Address').fill(world.sink.address)
  await dialog.getByRole('textbox', { name: /^Repeat after/ }).fill('1.440')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Write a whole number, without separators.').waitFor()
  await dialog.getByRole('textbox', { name: /^Repeat after/ }).fill('')
  await expectAccessible(page)
  await keepScreenshot(page, 'alarm-target')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('whsec_').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('on-call: test sent').waitFor()
  expect(world.sink.calls.at(-1)?.body).toContain('test')
  await keepScreenshot(page, 'alarm-targets')

  await page.getByRole('tab', { name: 'Alarms' }).click()
  await page.getByText('No alarms').waitFor()
  await world.sandbox.box.smsc.goDown()
  const row = page.getByRole('row', { name: /Carrier down/ })
  await row.getByText('Critical').waitFor({ timeout: LONGEST_MS })
  const entry = page.getByRole('navigation').getByRole('link', { name: /^Alarms/ })
  const badge = entry.getByText('1 open alarm, worst: critical')
  await badge.waitFor({ timeout: LONGEST_MS })
  expect(await page.title()).toBe('(1) Alarms · Posthorn')
  await expectAccessible(page)
  await keepScreenshot(page, 'alarms')
  const overview = await browser.visit('/', { user: await world.addUser('otto', 'support'), size: 'phone' })
  const banner = overview.locator('main').getByText(/Carrier down: sandbox-sms/)
  await banner.waitFor()
  await overview
    .getByRole('banner')
    .getByRole('link', { name: /1 open alarm/ })
    .waitFor()
  await keepScreenshot(overview, 'overview-alarm-phone')
  await overview.goto(`${world.console}/alarms`)
  await overview.getByRole('definition').filter({ hasText: 'Critical' }).waitFor()
  await expectFitsWidth(overview)
  await expectAccessible(overview)
  await keepScreenshot(overview, 'alarms-phone')
  await overview.close()
  await row.getByRole('button', { name: 'Acknowledge' }).click()
  await row.getByText('by anna').waitFor()
  await badge.waitFor({ state: 'detached' })
  expect(await page.title()).toBe('Alarms · Posthorn')
  await world.sandbox.box.smsc.comeBack()
})

test('an operator changes a rule and a target, pauses the target and returns to the default', async () => {
  const address = `${world.sink.address}/token`
  await world.askAdmin('PUT', '/notification-targets/chat', { kind: 'slack', address })
  const page = await browser.visit('/alarms?tab=rules', { user: await world.addUser('rita', 'operator') })
  const row = page.getByRole('row', { name: /Disk nearly full/ })
  await row.getByText('chat').waitFor()
  await look(page, 'alarm-rules')
  const edit = page.getByRole('button', { name: 'Change rule: Disk nearly full' })
  await edit.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Threshold').fill('120')
  await dialog.getByLabel('Opens after', { exact: true }).fill('2')
  await dialog.getByLabel('Unit: Opens after').selectOption('hours')
  await look(page, 'alarm-rule')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('must be from 1 to 99').waitFor()
  await dialog.getByLabel('Threshold').fill('20')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('2 hours').waitFor()
  const rule = async () => {
    const { body } = await world.askAdmin('GET', '/alarm-rules')
    const rules = body['data'] as readonly { readonly kind: string }[]
    return rules.find(({ kind }) => kind === 'disk_full')
  }
  expect(await rule()).toMatchObject({ threshold: 20, open_after_seconds: 7_200, default: { threshold: 10 } })
  await edit.click()
  await dialog.getByRole('button', { name: 'Use the default' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('2 hours').waitFor({ state: 'detached' })
  expect(await rule()).toMatchObject({ threshold: 10, open_after_seconds: 0 })

  await page.getByRole('tab', { name: 'Notifications' }).click()
  await page.getByRole('button', { name: 'Change target: chat' }).click()
  await dialog.getByLabel('Which alarms').selectOption('Only some kinds')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Choose at least one kind.').waitFor()
  await dialog.getByLabel('Disk nearly full').check()
  await dialog.getByLabel('Send notifications').uncheck()
  await dialog.getByLabel('Time zone').fill('Berlin')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('must be an IANA name').waitFor()
  await dialog.getByLabel('Time zone').fill('Europe/Berlin')
  await look(page, 'alarm-target-change')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /chat Paused .* Disk nearly full/ }).waitFor()
  const stored = (await world.sandbox.gateway.store.loadDirectory('anew')).notificationTargets
  expect(stored.find(({ name }) => name === 'chat')).toMatchObject({
    ...{ address, enabled: false, kinds: ['disk_full'], timeZone: 'Europe/Berlin' },
  })
  await page.getByRole('tab', { name: 'Rules' }).click()
  await row.getByText('chat').waitFor({ state: 'detached' })
})

test('an auditor reads the rules on a phone, in German', async () => {
  const user = await world.addUser('cora', 'auditor')
  const page = await browser.visit('/alarms?tab=rules', { user, theme: 'dark', size: 'phone', language: 'de' })
  await page.getByText('Prozent des Datenträgers, die frei sein sollen').waitFor()
  expect(await page.getByRole('button', { name: /Regel ändern/ }).count()).toBe(0)
  await look(page, 'alarm-rules-phone-dark')
})

test('an owner adds a user with a sign-in link, gives a token and disables the user', async () => {
  const page = await browser.visit('/team', { user: await world.addUser('cleo', 'owner') })
  await page.getByRole('button', { name: 'Add user' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User').fill('dora')
  await dialog.getByLabel('Role').selectOption('finance')
  await dialog.getByText('Money and prices.').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add user' }).click()
  await page.getByRole('cell', { name: 'dora', exact: true }).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'team')

  await page.getByRole('button', { name: 'Actions for dora' }).click()
  await page.getByRole('menuitem', { name: 'Create sign-in link' }).click()
  await dialog.getByRole('button', { name: 'Create sign-in link' }).click()
  const link = await dialog.getByText('#sign-in=').textContent()
  await keepScreenshot(page, 'sign-in-link')
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  // A tab with the console takes it as a new one does.
  const other = await browser.visit('/')
  await other.goto(link ?? '')
  await other.getByRole('button', { name: 'Later' }).click()
  await other.getByRole('button', { name: 'User menu: dora' }).waitFor()

  await page.getByRole('button', { name: 'Actions for dora' }).click()
  await page.getByRole('menuitem', { name: 'Tokens' }).click()
  await dialog.getByLabel('Label').fill('ci')
  await dialog.getByRole('button', { name: 'Issue token' }).click()
  await dialog.getByText('ph_admin_').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Actions for dora' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('row', { name: /dora/ }).getByText('Disabled').waitFor()
})

test('the audit log says who did it, with the values before and after', async () => {
  await world.askAdmin('PATCH', '/accounts/1', { reports_per_post: 7 })
  const page = await browser.visit('/audit', {
    user: await world.addUser('eve', 'auditor'),
    theme: 'dark',
    size: 'phone',
  })
  await page.getByLabel('Of what, such as account 1').fill('account 1')
  await page.keyboard.press('Enter')
  // The list before the search begins with another subject.
  await page.getByText('user eve').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Details' }).first().click()
  await page.getByRole('dialog').getByRole('cell', { name: 'reports_per_post' }).waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'audit-details-phone-dark')
  await page.keyboard.press('Escape')
  await expectFitsWidth(page)
})

test('an auditor reads actions in words, finds those of a day, and downloads them', async () => {
  await world.askAdmin('PUT', '/accounts/1/credit-limit', { credit_limit: 3 })
  const page = await browser.visit('/audit', { user: await world.addUser('arno', 'auditor'), language: 'de' })
  await page.getByRole('cell', { name: 'Kreditrahmen setzen' }).first().waitFor()
  await page.getByLabel('Alle Aktionen').selectOption('Kreditrahmen setzen')
  await page.getByRole('cell', { name: 'Konto ändern' }).waitFor({ state: 'detached' })
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV herunterladen' }).click()
  const text = readFileSync(await (await waiting).path(), 'utf8')
  expect(text).toMatch(/^at,actor,.*\n.*setCreditLimit/)
  expect(text).not.toContain('changeAccount')
  await look(page, 'audit-german')
  await page.getByLabel('Letzter Tag').fill('2024-01-31')
  await page.getByLabel('Letzter Tag').press('Enter')
  await page.getByText('Keine Änderung passt zu diesen Filtern').waitFor()
})
