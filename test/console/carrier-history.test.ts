/** The history of a carrier: deliveries, errors and states by day, and their CSV file. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect } from 'vitest'
import { type CarrierCondition, dayNumber } from '../../src/domain/routing/carrier-time.ts'
import { eventually } from '../support/eventually.ts'
import { look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const DAY_SECONDS = 86_400
const PATH = '/carriers/sandbox-sms?tab=history'

const { world, browser } = await openConsole()

beforeAll(async () => {
  const today = dayNumber(Date.now())
  const time = (daysAgo: number, state: CarrierCondition, seconds: number) => {
    return { carrierId: 'sandbox-sms', day: today - daysAgo, node: 0, state, seconds }
  }
  const times = [
    ...Array.from({ length: 25 }, (_, index) => time(index + 3, 'connected', DAY_SECONDS)),
    ...[time(2, 'connected', DAY_SECONDS * 0.75), time(2, 'stopped', DAY_SECONDS * 0.25)],
    ...[time(1, 'connected', 80_000), time(1, 'breaker_open', 5_000), time(1, 'draining', 1_400)],
  ]
  await world.sandbox.gateway.store.change({ kind: 'add carrier times', times, expired: [] })
  const sms = (phone: number) => ({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Hello' })
  await world.send(sms(491_701_230_020), sms(491_701_230_021), sms(491_701_234_503))
  await eventually('the messages to end', async () => {
    const { body } = await world.askAdmin('GET', '/carriers/sandbox-sms/history?days=1')
    const [day] = body['data'] as readonly { readonly delivered: number; readonly undelivered: number }[]
    return day?.delivered === 2 && day.undelivered === 1
  })
})

test('an operator sees what a carrier did on each day, and downloads it', async () => {
  const page = await browser.visit(PATH, { user: await world.addUser('anna', 'operator') })
  const rows = page.getByRole('row')
  await page.getByText('Down for 7h 23m in all: not connected, or breaker open.').waitFor()
  await rows.nth(3).getByText('connected 18h, not connected 6h').waitFor()
  await rows.nth(3).getByText('6h', { exact: true }).waitFor()
  await rows.nth(1).getByText('66.7%').waitFor()
  await rows.nth(1).getByText('UNDELIVERABLE 1').waitFor()
  await rows.nth(2).getByText('breaker open 1h 23m, draining 23m 20s').waitFor()
  await rows.nth(30).getByText('not observed').waitFor()
  await rows
    .last()
    .getByText(/^Total$/)
    .waitFor()
  await rows.last().getByText('7h 23m', { exact: true }).waitFor()
  await look(page, 'carrier-history')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await (await download).path()
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(32)
})

test('an auditor reads it on a phone, in German', async () => {
  const user = await world.addUser('cleo', 'auditor')
  const page = await browser.visit(PATH, { user, theme: 'dark', size: 'phone', language: 'de' })
  await page.getByText('verbunden 18h, nicht verbunden 6h').waitFor()
  await look(page, 'carrier-history-phone-dark')
})
