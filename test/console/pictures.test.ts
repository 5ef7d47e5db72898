/**
 * Pages after a day of traffic, in light and dark: they are accessible, fit and complain of nothing. With
 * POSTHORN_SCREENSHOTS=docs/console it takes the pictures of the documentation, after a longer history.
 */
import type { Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import { PastClock } from '../../console/tools/past-clock.ts'
import { eventually } from '../support/eventually.ts'
import { look, test } from './support/browser.ts'
import { History } from './support/history.ts'
import { openConsole } from './support/open-console.ts'

const TAKES_PICTURES = (process.env['POSTHORN_SCREENSHOTS'] ?? '') !== ''
const HOUR_MS = 3_600_000
const HISTORY_MS = (TAKES_PICTURES ? 30 : 1) * HOUR_MS
const LONG_MS = 900_000
const LATE = 491_701_234_505
const TEXT = 'Your parcel arrives today between 2 and 4 pm.'
const CHAIN = {
  ...{ type: 'rcs+chatapp+sms', rcs_signature: 'RCSTest', rcs_message: TEXT, rcs_lifetime: 2 },
  ...{ chatapp_type: 'text', chatapp_signature: 'ChatTest', chatapp_message: TEXT, chatapp_lifetime: 2 },
  ...{ sms_signature: 'SMSTest', sms_message: TEXT },
}

const clock = new PastClock(HISTORY_MS)
const { world, browser } = await openConsole({}, clock)
const history = new History(world, clock)
/** A message that reached its phone by the third channel. */
let late: number

beforeAll(async () => {
  await history.write()
  const [id = 0] = await world.send({ ...CHAIN, id: 'order-1705', phone: LATE })
  late = id
  const delivered = () =>
    world.sink.calls.some(({ body }) => /"order-1705".*DELIVERED|DELIVERED.*"order-1705"/.test(body))
  await eventually('the late message', delivered)
  for (const text of ['Can you come at 5 pm instead?', 'Thank you!']) {
    await eventually('the phone to write', async () => {
      return (await world.sandbox.box.write({ channel: 'sms', from: String(LATE), to: 'SMSTest', text })) === null
    })
  }
}, LONG_MS)

/** Fills a form before it is looked at. */
type Prepare = (page: Page) => Promise<void>
const compose: Prepare = async (page) => {
  await page.getByLabel('Sender by RCS').and(page.locator(':has(option)')).waitFor()
  await page.getByLabel('Recipient').fill('+49 170 1234501')
  await page.getByLabel('Text', { exact: true }).fill(TEXT)
  await page
    .getByText(/^1 part ·/)
    .first()
    .waitFor()
}
const charts: Prepare = (page) => page.locator('canvas').first().waitFor()
const nothing: Prepare = async () => {}

const PICTURES: readonly (readonly [name: string, path: string, prepare: Prepare])[] = [
  ['overview', '/', charts],
  ['messages', '/messages', nothing],
  ['message', '/messages/$late', nothing],
  ['statistics', '/statistics?by=account', nothing],
  ['compose', '/compose?account=1', compose],
  ['accounts', '/accounts', nothing],
  ['account', '/accounts/2', nothing],
  ['carriers', '/carriers', nothing],
  ['carrier', '/carriers/sandbox-sms', nothing],
  ['routes', '/routes', nothing],
  ['reports', '/reports', nothing],
  ['links', '/links', charts],
  ['inbound', '/inbound', nothing],
  ['alarms', '/alarms', nothing],
  ['guards', '/guards', nothing],
  ['audit', '/audit', nothing],
  ['team', '/team', nothing],
  ['system', '/system', nothing],
]

test('every page of the documentation', { timeout: LONG_MS }, async () => {
  await history.send()
  const page = await browser.visit('/security', { user: await world.addUser('anna', 'owner') })
  for (const [name, path, prepare] of PICTURES) {
    await page.goto(`${world.console}${path.replace('$late', String(late))}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[aria-busy=true], [role=status]:text("Loading")').first().waitFor({ state: 'detached' })
    await prepare(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await look(page, `${name}-${colorScheme}`)
    }
  }
})
