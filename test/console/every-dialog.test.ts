/**
 * Every page and every dialog of the console in light and dark, without violations of accessibility. A new page or a
 * new file with a dialog has to be listed here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { PastClock } from '../../console/tools/past-clock.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { eventually } from '../support/eventually.ts'
import { COMMON_PHONE, cutOff, expectAccessible, keepScreenshot, SIZES, test } from './support/browser.ts'
import { DIALOGS, IN_OTHER_STORIES, PAGES } from './support/every-dialog.ts'
import { openConsole } from './support/open-console.ts'

const SOURCES = 'console/src'

/** Of the message whose pages are opened. */
let message: number
let bulk: number
const HOUR_MS = 3_600_000
const clock = new PastClock(2 * HOUR_MS)
const { world, browser } = await openConsole({}, clock)

beforeAll(async () => {
  const ask = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await world.askAdmin(method, path, body)
    expect([path, status < 300, answer]).toEqual([path, true, answer])
  }
  // Long names and large amounts.
  await ask('PATCH', '/accounts/1', { name: 'Donaudampfschifffahrtsgesellschaftskapitän-Versand GmbH & Co. KG' })
  await ask('POST', '/accounts/1/top-ups', { amount: 123_456_789.1234, note: 'x'.repeat(60) })
  await ask('POST', '/users', { user: 'dora', role: 'finance' })
  await ask('POST', '/senders/request', { account: 1, channel: 'sms', name: 'Wanted' })
  await ask('POST', '/accounts/1/chat-templates', { signature: 'ChatTest', template: 'Hi {{1}}', status: 'submitted' })
  await ask('PUT', '/prices', { account: 1, channel: 'sms', currency: 'EUR', prefix: '49', price: 0.04 })
  await ask('PUT', '/price-groups/retail', {})
  await ask('POST', '/price-group-moves', { accounts: [1], group: 'retail', from: '2099-01-01' })
  await ask('PUT', '/notification-targets/on-call', { kind: 'hook', address: world.sink.address })
  await ask('PUT', '/inbound-numbers', { carrier: 'sandbox-sms', address: '491234', account: 1 })
  await ask('POST', '/accounts/1/logins', { name: 'shop', signing_key: 'key' })
  await ask('PUT', '/costs', { carrier: 'sandbox-sms', prefix: '49', price: 0.01, currency: 'EUR' })
  const key = { accountId: toAccountId(1), kind: 'messages', prefix: '88' } as const
  const alarm = { ...key, raisedAt: Date.now(), seen: 500, usual: 3, state: 'raised', until: null } as const
  await world.sandbox.gateway.store.change({ kind: 'set traffic alarm', alarm })
  const sent = await world.send({ type: 'sms', phone: 491_701_230_020, sms_signature: 'SMSTest', sms_message: 'Hello' })
  message = sent[0] ?? 0
  const text = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello {{name}}' }
  bulk = Number((await world.askAdmin('POST', '/accounts/1/bulks', { message: text, test: false })).body['bulk'])
  await eventually('the report', async () => {
    const { body } = await world.askAdmin('GET', `/reports/${message}`)
    return (body['data'] as readonly { readonly state: string }[])[0]?.state === 'sent'
  })
})

const pathOf = (path: string) => path.replace('$message', String(message)).replace('$bulk', String(bulk))

/** The page as it is, in both themes; returns what is cut off on a phone. */
async function lookTwice(page: Page, name: string): Promise<readonly string[]> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  return lookOnPhone(page, name)
}

async function lookOnPhone(page: Page, name: string): Promise<readonly string[]> {
  const before = page.viewportSize() ?? SIZES.desktop
  await page.setViewportSize(COMMON_PHONE)
  await keepScreenshot(page, `phone-${name.replace(/[^a-z0-9]+/gi, '-')}`)
  const found = await cutOff(page)
  await page.setViewportSize(before)
  return found
}

test('the list has every page, and every file with a dialog', () => {
  const paths = [...readFileSync(join(SOURCES, 'pages.ts'), 'utf8').matchAll(/\bpath: '([^']+)'/g)].map(
    ([, path]) => path,
  )
  const listed = PAGES.map(({ route }) => route)
  expect([...new Set(listed)].sort()).toEqual([...paths].sort())
  const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.tsx'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /<(?:Confirm|Form)?Dialog\b/.test(readFileSync(file, 'utf8')))
    .map((file) => file.slice(SOURCES.length + 1))
    .filter((file) => !['parts/form/form-dialog.tsx', 'parts/overlay/dialog.tsx'].includes(file))
  const known = [...DIALOGS.map(({ file }) => file), ...Object.keys(IN_OTHER_STORIES)]
  expect([...new Set(known)].sort()).toEqual(files.sort())
  const stories = readdirSync('test/console')
  expect(Object.values(IN_OTHER_STORIES).filter((story) => !stories.includes(`${story}.test.ts`))).toEqual([])
})

/** A page or a dialog takes some seconds on a busy machine, and there are some sixty in two themes. */
const LONG_MS = 900_000

test('every page', { timeout: LONG_MS }, async () => {
  const page = await browser.visit('/security', { user: await world.addUser('olga', 'owner') })
  const cut: string[] = []
  for (const { path } of PAGES) {
    await page.goto(`${world.console}${pathOf(path)}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[aria-busy=true], [role=status]:text("Loading")').first().waitFor({ state: 'detached' })
    cut.push(...(await lookTwice(page, path)))
  }
  expect(cut).toEqual([])
})

test('every page of a user of an account, on a phone', { timeout: LONG_MS }, async () => {
  const carla = await world.addUser('carla@1', 'client-admin', { account: 1 })
  const page = await browser.visit('/security', { user: carla })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const links = page.getByRole('navigation').getByRole('link')
  const paths = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
  expect(paths.length).toBeGreaterThan(5)
  const cut: string[] = []
  for (const path of paths) {
    await page.goto(new URL(path, world.console).href)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[aria-busy=true], [role=status]:text("Loading")').first().waitFor({ state: 'detached' })
    cut.push(...(await lookOnPhone(page, `client-${path}`)))
  }
  expect(cut).toEqual([])
})

test('every dialog', { timeout: LONG_MS }, async () => {
  const otto = await world.addUser('otto', 'owner')
  const page = await browser.visit('/security', { user: otto })
  // A session that can be revoked.
  await world.logIn(otto)
  const cut: string[] = []
  for (const { path, open, keys } of DIALOGS) {
    await page.goto(`${world.console}${pathOf(path)}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (keys !== undefined) await page.keyboard.press(keys)
    for (const name of open ?? []) {
      const control = page.getByRole('button', { name }).or(page.getByRole('menuitem', { name }))
      await control.first().click()
    }
    await page.getByRole('dialog').waitFor()
    cut.push(...(await lookTwice(page, `${path} ${(open ?? [keys]).at(-1)}`)))
  }
  expect(cut).toEqual([])
})

test('the dialog that asks for a new proof', async () => {
  const page = await browser.visit('/team', { user: await world.addUser('ida', 'owner') })
  await page.getByRole('button', { name: 'Add user' }).click()
  clock.leap(HOUR_MS / 4)
  await page.getByRole('dialog').getByLabel('User').fill('emil')
  await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click()
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor()
  expect(await lookTwice(page, 'proof')).toEqual([])
})
