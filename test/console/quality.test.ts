/** An operator sees what carriers deliver, demotes one by hand, keeps it, and sets the rules. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { NO_COUNTS, slotOf } from '../../src/domain/routing/quality-counts.ts'
import { expectAccessible, expectFitsWidth, keepScreenshot, look, TestBrowser, test } from './support/browser.ts'
import { ConsoleWorld } from './support/console-world.ts'

const LONG_NAME = 'a-carrier-with-a-very-long-name-of-forty'

let world: ConsoleWorld
let browser: TestBrowser

beforeAll(async () => {
  world = await ConsoleWorld.start()
  const { store } = world.sandbox.gateway
  const settings = { host: '127.0.0.1', port: 9, systemId: 'a', password: 'b' }
  await store.change({ kind: 'set carrier', carrier: { id: LONG_NAME, channel: 'sms', kind: 'smpp', settings } })
  const place = { channel: 'sms', country: 'GB', slot: slotOf(Date.now() - 1_800_000) } as const
  await store.countQuality([
    {
      ...{ ...place, carrierId: LONG_NAME, operator: '23410' },
      ...{ sent: 1_234_567, delivered: 1_200_000, deliveredMs: 9_600_000_000, codes: 34_567, converted: 30_000 },
      ...{ in10s: 1_000_000, in30s: 150_000, in90s: 50_000, later: 0 },
    },
    { ...NO_COUNTS, ...place, carrierId: 'sandbox-sms', operator: '23410', sent: 420, delivered: 200 },
  ])
  browser = await TestBrowser.open(world)
})
afterEach(() => browser.expectNoFaults())
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

test('what carriers deliver is shown, and one is demoted, kept and released', async () => {
  const page = await browser.visit('/routes?tab=quality', { user: await world.addUser('anna', 'operator') })
  const row = page.getByRole('row', { name: /sandbox-sms.*operator 23410/ }).first()
  await row.getByText('of 420 messages').waitFor()
  await page
    .getByRole('row', { name: /a-carrier-with/ })
    .getByText('within 30 s')
    .first()
    .waitFor()
  const choose = async (item: string) => {
    await row.getByRole('button', { name: /^Actions for sandbox-sms/ }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const dialog = page.getByRole('dialog')
  await choose('Demote for some hours')
  await dialog.getByLabel('Hours').fill('0')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog
    .getByText(/at least 1|greater|minimum|from 1/i)
    .first()
    .waitFor()
  await dialog.getByLabel('Hours').fill('5')
  await dialog.getByLabel('Reason').fill('they repair a cable in the sea near Marseille, and it may take all night')
  await expectAccessible(page)
  await keepScreenshot(page, 'quality-demote')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Demoted', { exact: true }).waitFor()
  await page.getByRole('table', { name: 'Demotions' }).getByText('by anna').waitFor()
  await look(page, 'quality')
  await choose('Keep for some hours')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Kept by hand').waitFor()
  await choose('Let gateways decide')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Not judged').waitFor()
  await expectFitsWidth(page)
})

test('the rule of all carriers is set, and one that differs is added and removed', async () => {
  const page = await browser.visit('/routes?tab=quality', {
    user: await world.addUser('ben', 'operator'),
    theme: 'dark',
  })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Change rule: All carriers' }).click()
  await dialog.getByLabel('Mode').selectOption('observe')
  await dialog.getByLabel('Floor, %').fill('100')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/99/).first().waitFor()
  await dialog.getByLabel('Floor, %').fill('80')
  await keepScreenshot(page, 'quality-rule-dark')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Observe' }).waitFor()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/choose a carrier or a country/i).waitFor()
  await dialog.getByLabel('Carrier').selectOption('sandbox-sms')
  await dialog.getByLabel('Country').fill('de')
  await dialog.getByLabel('Slower, points').fill('60')
  await keepScreenshot(page, 'quality-rule-of-country-dark')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const own = page.getByRole('button', { name: 'Remove rule: sandbox-sms, Germany' })
  await keepScreenshot(page, 'quality-rules-dark')
  await own.click()
  await dialog.getByRole('button', { name: 'Remove rule: sandbox-sms, Germany' }).click()
  await own.waitFor({ state: 'detached' })
  const { body } = await world.askAdmin('GET', '/quality/rules')
  expect(body).toMatchObject({
    data: [{ carrier: null, mode: 'observe', floor_percent: 80, set: ['mode', 'floor_percent'] }],
  })
  await keepScreenshot(page, 'quality-dark')
})
