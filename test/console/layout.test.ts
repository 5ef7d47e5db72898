/** Pages from phone to desktop width: nothing is cut off without a sign, and charts load in any browser. */
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

const sms = (phone: number) => ({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Hello' })

beforeAll(async () => {
  await world.send(sms(491_701_230_020), sms(491_701_230_021))
  await eventually('the messages to be delivered', async () => {
    const { body } = await world.askAdmin('GET', '/statistics?by=none')
    return (body['data'] as readonly { readonly delivered: number }[])[0]?.delivered === 2
  })
})

/** Returns the labels of figures that are cut off. */
function cutLabels(page: Page): Promise<readonly string[]> {
  return page
    .locator('dt')
    .evaluateAll((labels) =>
      labels.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent ?? ''),
    )
}

test.each(['en', 'de'] as const)('figures of the overview are legible on a phone (%s)', async (language) => {
  const user = await world.addUser(`phone-${language}`, 'operator')
  const page = await browser.visit('/', { user, size: 'phone', language })
  await page.locator('canvas').first().waitFor()
  expect(await cutLabels(page)).toEqual([])
  // Percentiles are estimated from classes of times.
  await page.getByText('≈').first().waitFor()
  await look(page, `overview-phone-${language}`)
})

test('a table that is wider than the page keeps its first column and says that there is more', async () => {
  const page = await browser.visit('/statistics', { user: await world.addUser('olga', 'owner') })
  const row = page.getByRole('row', { name: /^SMS 2 2 2 100/ })
  await row.waitFor()
  await page.setViewportSize({ width: 900, height: 860 })
  await page.getByText('wider than the page').waitFor()
  const name = row.getByRole('cell').first()
  const before = await name.boundingBox()
  const table = page.getByRole('region', { name: 'Statistics by channel' })
  await table.focus()
  await page.keyboard.press('End')
  await table.evaluate((element) => {
    element.scrollLeft = element.scrollWidth
  })
  await page.getByRole('columnheader', { name: 'Margin' }).waitFor()
  expect((await name.boundingBox())?.x).toBe(before?.x)
  await look(page, 'statistics-narrow')
  await page.setViewportSize({ width: 1_800, height: 860 })
  await page.getByText('wider than the page').waitFor({ state: 'detached' })
})

test('an account names the channel of its senders', async () => {
  const page = await browser.visit('/accounts/1', { user: await world.addUser('ben', 'operator') })
  await page.getByText(/SMSTest \(SMS\)/).waitFor()
})

test('charts load although the system reports a language that no formatter takes', async () => {
  const page = await browser.visit('/', { user: await world.addUser('piet', 'operator') })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.addInitScript("Object.defineProperty(navigator, 'language', { configurable: true, value: 'en-US@posix' })")
  await page.reload()
  await page.locator('canvas').first().waitFor()
})
