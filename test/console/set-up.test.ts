/** An owner sets up an empty installation by the checklist alone, until a message is delivered. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Gateway, startGateway } from '../../src/app/gateway.ts'
import { createInstallation } from '../../src/app/installation/installation.ts'
import { readConfig } from '../../src/app/settings/config.ts'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { systemRandom } from '../../src/app/system/system-random.ts'
import { addUser } from '../../src/operations/admin/users/users.ts'
import { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import { type Smsc, startSmsc } from '../../src/simulator/smpp/smsc.ts'
import { SilentLog } from '../support/silent-log.ts'
import { look, TestBrowser, test } from './support/browser.ts'
import { giveSecrets, PASSWORD_LOG_N } from './support/console-user.ts'

const SMPP = { systemId: 'posthorn', password: 'secret77' }
const LONG_MS = 240_000
const TOOLS = { clock: systemClock, random: systemRandom }

let folder: string
let gateway: Gateway
let smsc: Smsc
let browser: TestBrowser

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-set-up-'))
  const config = readConfig({ 'data-dir': folder, port: '0', 'admin-port': '0' }, {})
  smsc = await startSmsc({ ...TOOLS, ...SMPP, traffic: new PhoneTraffic() })
  await createInstallation(config)
  gateway = await startGateway({ config, ...TOOLS, log: new SilentLog(), passwordLogN: PASSWORD_LOG_N })
  browser = await TestBrowser.open({ sandbox: gateway })
})
afterEach(() => browser.expectNoFaults())
afterAll(async () => {
  await browser?.close()
  await gateway?.stop()
  await smsc?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('an owner follows the checklist of an empty installation to its end', { timeout: LONG_MS }, async () => {
  await addUser(gateway.store, { name: 'olga', role: 'owner', accountId: null })
  const page = await browser.visit('/', { user: await giveSecrets(gateway, 'olga', systemClock) })
  const list = page.getByRole('list', { name: 'Set up this gateway' })
  const states = async () => {
    const rows = await list.getByRole('listitem').allInnerTexts()
    return rows.map((row) => row.replace(/\s+/g, ' ').split(' ').slice(0, 2).join(' '))
  }
  const open = () => page.getByRole('link', { name: 'Overview' }).click()
  await list.waitFor()
  expect(await states()).toEqual([
    ...['Missing: Carrier', 'Missing: Route', 'Missing: Account', 'Missing: Price'],
    ...['Missing: Sender', 'Missing: Money', 'Missing: API', 'Missing: Delivered'],
  ])
  await look(page, 'set-up-empty')

  await list.getByRole('link', { name: 'Add a carrier' }).click()
  const carrier = page.getByRole('dialog')
  await carrier.getByLabel('Name').fill('acme')
  await carrier.getByLabel('Host', { exact: true }).fill('127.0.0.1')
  await carrier.getByLabel('Port', { exact: true }).fill(String(smsc.port))
  await carrier.getByLabel('System ID').fill(SMPP.systemId)
  await carrier.getByLabel('Password').fill(SMPP.password)
  await carrier.getByRole('button', { name: 'Add carrier' }).click()
  await page.getByRole('heading', { name: 'acme' }).waitFor()
  await page.getByText('Up', { exact: true }).first().waitFor()

  await open()
  await list.getByRole('listitem').filter({ hasText: 'Done: Route' }).waitFor()
  await list.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Shop')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Amount in EUR').fill('10')
  await page.getByRole('button', { name: 'Add €10.00' }).click()
  await page.getByLabel('Sender name').fill('Shop')
  await page.getByRole('button', { name: 'Approve sender' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Issue key' }).click()
  await page.getByRole('heading', { name: 'This account cannot send yet' }).waitFor()
  await look(page, 'set-up-without-price')

  await open()
  await list.getByRole('link', { name: 'Set a price' }).click()
  const price = page.getByRole('dialog')
  await price.getByLabel('Price of one part in EUR').fill('0.05')
  await price.getByRole('button', { name: 'Set price' }).click()
  await price.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('heading', { name: 'This account can send', exact: true }).waitFor()
  await look(page, 'account-can-send')

  await open()
  await list.getByRole('link', { name: 'Send a message' }).click()
  await page.getByLabel('Recipient').fill('+49 170 1234500')
  await page.getByLabel('Use RCS').uncheck()
  await page.getByLabel('Use Chat app').uncheck()
  await page.getByLabel('Text', { exact: true }).fill('Hello')
  await page.getByLabel('Send as').selectOption({ label: 'Real: charged to the account' })
  await page.getByRole('button', { name: 'Send real message' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send real message' }).click()
  await page.getByRole('heading', { name: /^Message \d+/ }).waitFor()
  await page.getByText('DELIVERED').first().waitFor()
  await open()
  await page.getByText('This gateway is set up, and messages are delivered.').waitFor()
  await look(page, 'set-up-done')
  await page.getByRole('button', { name: 'Hide' }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Messages over time' }).waitFor()
  expect(await page.getByText('This gateway is set up').count()).toBe(0)
})
