/** A user of an account finds no word that only operators know, on any page and in both languages. */
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { expectFitsWidth, look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const LONG_MS = 600_000
/** Statuses in capitals, addresses and names of operations such as `hook/create` are words of the API. */
const OPERATORS_WORDS =
  /(?<![\p{L}/.])(carriers?|carriern|routes?|routen|hooks?|breakers?|nodes?|queues?|ledger|margins?|failover)(?![\p{L}/]|\.\w)/giu
const TABS = ['keys', 'senders', 'hooks', 'templates', 'opt-outs', 'prices', 'ledger']

const { world, browser } = await openConsole()

beforeAll(async () => {
  world.sink.answer = () => ({ status: 500 })
  await world.send(
    { type: 'rcs+sms', phone: 491701234501, rcs_signature: 'RCSTest', rcs_message: 'x', ...sms },
    { type: 'sms', phone: 491701234510, ...sms },
  )
})

const sms = { sms_signature: 'SMSTest', sms_message: 'x' }

/** What a user sees and what a screen reader says. */
async function wordsOn(page: Page): Promise<readonly string[]> {
  await page.waitForLoadState('networkidle')
  const spoken = await page.evaluate<string>(`[...document.querySelectorAll('*')].flatMap((each) =>
    ['aria-label', 'title', 'placeholder'].flatMap((name) => each.getAttribute(name) ?? [])).join('\\n')`)
  const text = `${await page.locator('body').innerText()}\n${spoken}`
  return [...text.matchAll(OPERATORS_WORDS)].map(([word]) => word).filter((word) => word !== word.toUpperCase())
}

test('no page shows a word of operators to clients', { timeout: LONG_MS }, async () => {
  const found: string[] = []
  for (const language of ['en', 'de'] as const) {
    const user = await world.addUser(`ada-${language}`, 'client-admin', { account: 1 })
    const page = await browser.visit('/', { user, language })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const links = await page.getByRole('navigation').getByRole('link').all()
    const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')))
    const pages = hrefs.flatMap((href) => (href === null ? [] : [href.replace('/console', '')]))
    expect(pages).toContain('/accounts/1')
    const reports = ['failing', 'hooks', 'stopped', 'managed'].map((tab) => `/reports?tab=${tab}`)
    const others = [
      ...TABS.map((tab) => `/accounts/1?tab=${tab}`),
      ...reports,
      '/security',
      '/messages/65',
      '/messages/66',
    ]
    for (const path of [...pages, ...others]) {
      await page.goto(`${world.console}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      found.push(...(await wordsOn(page)).map((word) => `${language} ${path}: ${word}`))
    }
    if (language === 'en') {
      await page.goto(`${world.console}/`)
      await page.getByText('Balance', { exact: true }).waitFor()
      await look(page, 'client-balance-first')
    }
  }
  expect(found).toEqual([])
})

test('dialogs of clients have none either', { timeout: LONG_MS }, async () => {
  const user = await world.addUser('dora', 'client-admin', { account: 1 })
  const page = await browser.visit('/reports?tab=failing', { user, size: 'phone', theme: 'dark' })
  await expectFitsWidth(page)
  const found: string[] = []
  for (const path of ['keys', 'senders', 'hooks', 'opt-outs'].map((tab) => `/accounts/1?tab=${tab}`)) {
    await page.goto(`${world.console}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    const names = await page.getByRole('main').getByRole('button').allInnerTexts()
    for (const name of names.filter((each) => /^(Issue|Add|Rotate|Request)/.test(each))) {
      await page.getByRole('button', { name }).first().click()
      await page.getByRole('dialog').waitFor()
      found.push(...(await wordsOn(page)).map((word) => `${path} ${name}: ${word}`))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  }
  expect(found).toEqual([])
})

test('a composed message and its confirmation have none either', { timeout: LONG_MS }, async () => {
  const found: string[] = []
  const words = {
    en: { phone: 'Recipient', live: 'Real: charged to the account', send: 'Send real message' },
    de: { phone: 'Empfänger', live: 'Echt: wird dem Konto berechnet', send: 'Echte Nachricht senden' },
  }
  for (const language of ['en', 'de'] as const) {
    const { phone, live, send } = words[language]
    const user = await world.addUser(`cora-${language}`, 'client-admin', { account: 1 })
    const page = await browser.visit('/compose', { user, language, size: 'phone', theme: 'dark' })
    await page.getByLabel(phone).fill('+49 170 1234500')
    await page.getByLabel('Text', { exact: true }).fill('Hallo')
    await page.getByRole('combobox').filter({ hasText: live }).selectOption({ label: live })
    await page
      .getByText(/0[.,]05/)
      .first()
      .waitFor()
    await expectFitsWidth(page)
    await look(page, `compose-client-${language}`)
    await page.getByRole('button', { name: send }).click()
    await page
      .getByRole('dialog')
      .getByText(/0[.,]05/)
      .waitFor()
    found.push(...(await wordsOn(page)).map((word) => `${language}: ${word}`))
  }
  expect(found).toEqual([])
})

test('the search finds pages in both languages, senders, and messages by a national number, but no carriers', {
  timeout: LONG_MS,
}, async () => {
  const owner = await browser.visit('/', { user: await world.addUser('otto', 'owner') })
  const client = await browser.visit('/', { user: await world.addUser('rita', 'client-reader', { account: 1 }) })
  const search = async (page: Page, text: string) => {
    await page.getByRole('button', { name: 'Search' }).first().click()
    await page.getByRole('combobox', { name: 'Search' }).fill(text)
    await page.getByRole('option').or(page.getByText('No match')).first().waitFor()
    await page.waitForLoadState('networkidle')
    const options = await page.getByRole('option').allInnerTexts()
    await page.keyboard.press('Escape')
    return options.map((each) => each.replace(/\s+/g, ' '))
  }
  expect(await search(owner, 'netzbetr')).toEqual(['Routes: Mobile operators Page'])
  expect(await search(owner, 'sandbox-s')).toEqual(['sandbox-sms Carrier'])
  expect(await search(owner, 'SMSTest')).toContain('SMSTest Sender · sms · 1')
  expect(await search(owner, '0170 123-4501')).toEqual(['Message 65 491701234501 · DELIVERED'])
  expect(await search(client, '(0170) 1234501')).toEqual(['Message 65 491701234501 · DELIVERED'])
  expect(await search(client, 'SMSTest')).toContain('SMSTest Sender · sms')
  expect(await search(client, 'sandbox-s')).toEqual([])
  expect(await search(client, 'failing')).toEqual(['Reports to your systems: Failing webhooks Page'])
})
