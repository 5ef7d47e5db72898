/** A browser for the pages of the console, with their users. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openChromium, PATIENCE_MS, SIZES, watchFaults } from '../../support/chromium.ts'
import { type ConsoleUser, logIn } from './console-user.ts'

export {
  COMMON_PHONE,
  cutOff,
  expectAccessible,
  expectFitsWidth,
  keepScreenshot,
  look,
  SIZES,
  test,
} from '../../support/chromium.ts'

export interface PageOptions {
  /** Logged in before the page opens; without it no user is. */
  readonly user?: ConsoleUser
  readonly theme?: 'light' | 'dark'
  readonly size?: keyof typeof SIZES
  readonly language?: 'en' | 'de'
  /** Instead of 127.0.0.1: passkeys need a name. */
  readonly host?: 'localhost'
}

/** A gateway whose console is open. */
interface BrowsedWorld {
  readonly sandbox: { readonly adminAddress: string }
}

export class TestBrowser {
  readonly #browser: Browser
  readonly #world: BrowsedWorld
  readonly #contexts: BrowserContext[] = []
  readonly #faults: string[] = []

  private constructor(browser: Browser, world: BrowsedWorld) {
    this.#browser = browser
    this.#world = world
  }

  static async open(world: BrowsedWorld): Promise<TestBrowser> {
    return new TestBrowser(await openChromium(), world)
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
      const cookie = await logIn(this.#world.sandbox.adminAddress, user)
      await context.addCookies([{ ...cookie, domain: address.hostname, path: '/admin/', httpOnly: true }])
    }
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    watchFaults(page, address.origin, this.#faults)
    await page.goto(`${address.origin}/console${path}`)
    return page
  }

  /** Fails if, since the last call, any page asked another host or logged an error that is not one of those `made`. */
  expectNoFaults(made = /^$/): void {
    expect(this.#faults.splice(0).filter((fault) => !made.test(fault))).toEqual([])
  }

  async close(): Promise<void> {
    await this.#browser.close()
  }
}

/** Chooses an account by a part of its name, in a page or a dialog. */
export async function chooseAccount(scope: Page | Locator, label: string, name: string): Promise<void> {
  await scope.getByRole('combobox', { name: label, exact: true }).fill(name)
  await scope.getByRole('option', { name: new RegExp(`^${name} · \\d+$`) }).click()
}
