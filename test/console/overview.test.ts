/** The overview after some traffic: numbers, charts, channels, carriers, in both themes and on a phone. */
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { expectAccessible, expectFitsWidth, keepScreenshot, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

beforeAll(async () => {
  const rcs = (phone: number) => ({ type: 'rcs', phone, rcs_signature: 'RCSTest', rcs_message: 'Hello' })
  const sms = (phone: number) => ({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Hello' })
  await eventually('the carriers to be up', async () => {
    const { body } = await world.askAdmin('GET', '/carriers')
    return (body['data'] as readonly { readonly state: { readonly up: boolean } }[]).every(({ state }) => state.up)
  })
  await world.send(...Array.from({ length: 12 }, (_, index) => rcs(491_701_230_020 + index)), sms(491_701_234_503))
  await eventually('the messages to be delivered', async () => {
    const { body } = await world.askAdmin('GET', '/statistics?by=none')
    const [line] = body['data'] as readonly { readonly delivered: number; readonly failed: number }[]
    return line?.delivered === 12 && line.failed === 1
  })
})

const onHold = (page: Page) => page.locator('dl > div', { hasText: 'On hold now' })

test('shows what was sent, delivered and charged, and keeps the range in the address', async () => {
  const anna = await world.addUser('anna', 'owner')
  const page = await browser.visit('/', { user: anna })
  await page.getByText('12 messages').waitFor()
  await page.getByText('1 failed').waitFor()
  await page.getByRole('row', { name: /^RCS 12 12 100/ }).waitFor()
  await onHold(page).getByText('€0.00').waitFor()
  const send_at = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z')
  await world.send({ type: 'rcs', phone: '491701230099', rcs_signature: 'RCSTest', rcs_message: 'Later', send_at })
  await page.reload()
  await onHold(page).getByText('€0.03').waitFor()
  await onHold(page).getByText('of 1 account').waitFor()
  await page.getByRole('cell', { name: 'sandbox-rcs' }).waitFor()
  await page.locator('canvas').first().waitFor()
  // The live figures arrive by themselves.
  const live = page.locator('section', { has: page.getByRole('heading', { name: 'Now' }) })
  await live.getByText(/^\d/).first().waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'overview')

  await page.getByText('Show the values as a table').first().click()
  await page.getByRole('table', { name: 'Messages over time, per hour' }).getByRole('cell', { name: '13' }).waitFor()
  await page.getByLabel('Time range').selectOption('Last 30 days')
  await page.getByText('per day').first().waitFor()
  expect(new URL(page.url()).search).toBe('?range=30d')
  await page.reload()
  await page.getByText('per day').first().waitFor()
})

test('the live figures come back after a gateway that was starting, and the page says until then that it is silent', async () => {
  const page = await browser.visit('/', { user: await world.addUser('dora', 'support') })
  const live = page.locator('section', { has: page.getByRole('heading', { name: 'Now' }) })
  await live.getByText(/^\d/).first().waitFor()
  const paths = '**/admin/v1/**'
  await page.route(paths, (route) => route.abort())
  await page.getByLabel('Time range').selectOption('Last 7 days')
  const silence = page.getByText(/The gateway has not answered since/)
  await silence.waitFor()
  // As a gateway does that opens its database. A hidden tab leaves the stream, and showing it again opens one.
  const starts = page.waitForResponse((response) => response.url().endsWith('/live') && response.status() === 503)
  await page.route(paths, (route) => route.fulfill({ status: 503, json: { status: 503, detail: 'starting' } }))
  for (const isHidden of [true, false]) {
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))`)
  }
  await starts
  expect(await silence.count()).toBe(1)
  await page.unroute(paths)
  await silence.waitFor({ state: 'detached' })
  await live.getByText(/^\d/).first().waitFor()
  browser.expectNoFaults(/ERR_FAILED/)
})

test('is legible in the dark', async () => {
  const ben = await world.addUser('ben', 'support')
  const page = await browser.visit('/', { user: ben, theme: 'dark' })
  await page.getByRole('row', { name: /^RCS 12/ }).waitFor()
  await page.locator('canvas').first().waitFor()
  await expectAccessible(page)
  await keepScreenshot(page, 'overview-dark')
})

test('fits a phone', async () => {
  const clara = await world.addUser('clara', 'finance')
  const page = await browser.visit('/', { user: clara, size: 'phone', language: 'de' })
  await page.getByRole('heading', { name: 'Übersicht' }).waitFor()
  await page.getByRole('row', { name: /^RCS 12/ }).waitFor()
  await page.locator('canvas').first().waitFor()
  await expectFitsWidth(page)
  await expectAccessible(page)
  await keepScreenshot(page, 'overview-phone')
})
