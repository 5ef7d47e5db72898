/**
 * A real Chromium, headless, from npm alone. A page fails its test if it logs an error, asks another host, or breaks
 * the content security policy.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import chromiumFiles from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ConsoleUser, ConsoleWorld } from './console-world.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
]

const SIZES = { desktop: { width: 1280, height: 860 }, phone: { width: 360, height: 740 } } as const
/** Of an assertion that waits; a loaded machine may be slow. */
const PATIENCE_MS = 20_000

export interface PageOptions {
  /** Logged in before the page opens; without it no user is. */
  readonly user?: ConsoleUser
  readonly theme?: 'light' | 'dark'
  readonly size?: keyof typeof SIZES
  readonly language?: 'en' | 'de'
  /** Instead of 127.0.0.1: passkeys need a name. */
  readonly host?: 'localhost'
}

export class TestBrowser {
  readonly #browser: Browser
  readonly #world: ConsoleWorld
  readonly #contexts: BrowserContext[] = []
  readonly #faults: string[] = []

  private constructor(browser: Browser, world: ConsoleWorld) {
    this.#browser = browser
    this.#world = world
  }

  static async open(world: ConsoleWorld): Promise<TestBrowser> {
    const executablePath = await chromiumFiles.executablePath()
    return new TestBrowser(await chromium.launch({ executablePath, headless: true, args: FLAGS }), world)
  }

  /** Opens a path of the console, such as `/messages`, in a browser profile of its own. */
  async visit(path: string, options: PageOptions = {}): Promise<Page> {
    const { user, theme = 'light', size = 'desktop', language = 'en', host } = options
    const context = await this.#browser.newContext({
      viewport: SIZES[size],
      colorScheme: theme,
      locale: language === 'en' ? 'en-GB' : 'de-DE',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    })
    this.#contexts.push(context)
    const address = new URL(this.#world.sandbox.adminAddress)
    if (host !== undefined) address.hostname = host
    if (user !== undefined) {
      const cookie = await this.#world.logIn(user)
      await context.addCookies([{ ...cookie, domain: address.hostname, path: '/admin/', httpOnly: true }])
    }
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    this.#watch(page, address.origin)
    await page.goto(`${address.origin}/console${path}`)
    return page
  }

  /** Fails if any page of this browser logged an error or asked another host since the last call. */
  expectNoFaults(): void {
    expect(this.#faults.splice(0)).toEqual([])
  }

  async close(): Promise<void> {
    await this.#browser.close()
  }

  #watch(page: Page, origin: string): void {
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) this.#faults.push(`request to ${url}`)
    })
    page.on('pageerror', (error) => this.#faults.push(`error: ${error.message}`))
    page.on('console', (message) => {
      // Chromium logs every answer that is not 2xx, such as the 401 before a login.
      const isAnswer = message.text().startsWith('Failed to load resource: the server responded with a status of')
      if (message.type() === 'error' && !isAnswer) this.#faults.push(`console: ${message.text()}`)
    })
  }
}

/** Chooses an account by a part of its name, in a page or a dialog. */
export async function chooseAccount(scope: Page | Locator, label: string, name: string): Promise<void> {
  await scope.getByRole('combobox', { name: label, exact: true }).fill(name)
  await scope.getByRole('option', { name: new RegExp(`^${name} · \\d+$`) }).click()
}

/** Fails if axe-core finds a violation on the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(({ id, nodes }) => ({
    id,
    at: nodes.map(({ target, failureSummary }) => [target.join(' '), failureSummary]),
  }))
  expect(found).toEqual([])
}

/** Fails if the page scrolls sideways. */
export async function expectFitsWidth(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
}

/** Keeps a picture if POSTHORN_SCREENSHOTS names a folder, such as docs/console. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['POSTHORN_SCREENSHOTS']
  if (folder === undefined || folder === '') return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

/** Looks at the page as it is: no violations, no sideways scrolling, a picture. */
export async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page)
  await expectFitsWidth(page)
  await keepScreenshot(page, name)
}
