/** The built documentation site, served as static files below a path, in a real Chromium. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { readSite } from '../../site/pages.ts'
import { folderOf, ROOT, readSettings } from '../../site/settings.ts'
import { expectFitsWidth, look, openChromium, PATIENCE_MS, SIZES, test, watchFaults } from '../support/chromium.ts'
import { type StaticFiles, serveFiles } from '../support/static-files.ts'

const { version } = readSettings({})
const BASE = `/posthorn/${folderOf(version)}/`
const ADDRESS = `https://docs.posthorn.invalid${BASE}`
const site = readSite(ROOT)
const paths = [...site.pages.values()].map(({ path }) => `${path}.html`)

let work: string
let dist: string
let files: StaticFiles
let browser: Browser
const faults: string[] = []

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'posthorn-site-'))
  dist = join(work, 'dist')
  const env = { ...process.env, NODE_ENV: 'production', SITE_ADDRESS: ADDRESS, SITE_SOURCES: '' }
  execFileSync(process.execPath, [join(ROOT, 'site/build.ts'), '--out', dist], { env, stdio: 'pipe' })
  writeFileSync(join(work, 'versions.json'), JSON.stringify(['99.0', folderOf(version).slice(1)]))
  files = await serveFiles(
    new Map([
      [BASE, dist],
      ['/posthorn/', work],
    ]),
  )
  browser = await openChromium()
}, 120_000)
afterEach(() => expect(faults.splice(0)).toEqual([]))
afterAll(async () => {
  await browser?.close()
  await files?.[Symbol.asyncDispose]()
  rmSync(work, { recursive: true, force: true })
})

async function visit(path: string, size: keyof typeof SIZES, theme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({ viewport: SIZES[size], colorScheme: theme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  watchFaults(page, files.origin, faults)
  await page.goto(`${files.origin}${BASE}${path}`)
  return page
}

test('has a page for each document, and no others', () => {
  const built = globSync('**/*.html', { cwd: dist }).filter((path) => path !== '404.html' && path !== 'api/index.html')
  expect(built.sort()).toEqual(paths.toSorted())
})

test('has no broken link, anchor or image', () => {
  const documents = new Map([...paths, '404.html'].map((path) => [path, readFileSync(join(dist, path), 'utf8')]))
  const ids = new Map([...documents].map(([path, html]) => [path, new Set(attributesOf(html, 'id'))]))
  const broken = [...documents].flatMap(([path, html]) =>
    [...new Set([...attributesOf(html, 'href'), ...attributesOf(html, 'src')])]
      .filter((link) => !isFound(link, path, ids))
      .map((link) => `${path}: ${link}`),
  )
  expect(broken).toEqual([])
})

test('lists all pages for search engines and language models', () => {
  const inSitemap = [...readFileSync(join(dist, 'sitemap.xml'), 'utf8').matchAll(/<loc>([^<]+)</g)].map(
    ([, url]) => url,
  )
  expect(inSitemap.length).toBe(paths.length)
  const list = readFileSync(join(dist, 'llms.txt'), 'utf8')
  const listed = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => url)
  expect(listed.length).toBeGreaterThan(80)
  expect(listed.filter((url) => !existsSync(join(dist, url.replace(ADDRESS, ''))))).toEqual([])
  const text = readFileSync(join(dist, 'llms-full.txt'), 'utf8')
  expect([...site.pages.values()].filter(({ markdown }) => !text.includes(markdown.split('\n', 1)[0] ?? ''))).toEqual(
    [],
  )
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, url = '']) => url)
  expect(links.filter((url) => url.startsWith(ADDRESS)).length).toBeGreaterThan(300)
  expect(links.filter((url) => !/^https?:/.test(url))).toEqual([])
  expect(links.filter((url) => url.startsWith(ADDRESS) && !existsSync(join(dist, pathOf(url))))).toEqual([])
})

test('every page opens without errors and without asking another host, and fits a phone', async () => {
  const page = await visit('index.html', 'phone')
  for (const path of paths) {
    await page.goto(`${files.origin}${BASE}${path}`)
    await page.locator('#app h1').first().waitFor()
    await expectFitsWidth(page)
    expect([path, ...faults]).toEqual([path])
  }
  await page.context().close()
}, 180_000)

test.each([
  ['light', ['index.html', 'guides/verify.html', 'limits.html', 'missing.html']],
  ['dark', ['guides/clients.html', 'operations/console.html', 'missing.html']],
] as const)(
  'is accessible in %s',
  async (theme, shown) => {
    for (const path of shown) {
      const page = await visit(path, 'desktop', theme)
      await page.locator('#app h1').first().waitFor()
      await look(page, `site-${path.replace(/\W+html$/, '').replace('/', '-')}-${theme}`)
      await page.context().close()
    }
  },
  180_000,
)

test('finds a word in all pages', async () => {
  const page = await visit('index.html', 'desktop')
  await page
    .getByRole('button', { name: /Search/ })
    .first()
    .click()
  await page.getByRole('searchbox').fill('idempotency')
  const results = page.getByRole('listbox').getByRole('option')
  await results.first().waitFor()
  expect(await results.count()).toBeGreaterThan(3)
  await results.getByRole('link').or(results).first().click()
  await page.waitForURL((url) => !url.pathname.endsWith('/index.html') || url.hash !== '')
  await page.context().close()
})

test.each([
  ['price per operator', 'guides/money.html#prices'],
  ['how are reports retried', 'reference/reports.html#retries'],
  ['drain carrier', 'guides/routing.html#maintenance'],
])('a search for "%s" finds %s, and no history before it', async (query, wanted) => {
  const page = await visit('index.html', 'desktop')
  const search = page.getByRole('button', { name: /Search/ })
  await search.first().click()
  await page.getByRole('searchbox').fill(query)
  const links = page.getByRole('listbox').getByRole('option').getByRole('link')
  await links.first().waitFor()
  const found = await links.evaluateAll((all) => all.slice(0, 5).map((link) => link.getAttribute('href')))
  expect(found).toContain(`${BASE}${wanted}`)
  expect(found.filter((link) => /decisions|changelog/.test(link ?? ''))).toEqual([])
  await page.context().close()
})

test('leads to the parts for readers, and to other versions', async () => {
  const page = await visit('index.html', 'desktop')
  await page
    .getByRole('navigation', { name: 'Main Navigation' })
    .getByRole('link', { name: 'Operate a gateway' })
    .click()
  await page.waitForURL((url) => url.pathname === `${BASE}operations/install.html`)
  const versions = page.getByRole('combobox', { name: 'Version' })
  expect(await versions.getByRole('option').allInnerTexts()).toEqual([`v${version}`, 'v99.0'])
  await versions.selectOption('99.0')
  await page.waitForURL(`${files.origin}/posthorn/v99.0/`)
  await page.context().close()
})

test('shows the client API from its OpenAPI document', async () => {
  const page = await visit('api/index.html', 'desktop', 'dark')
  await page.getByRole('heading', { name: 'Execute operations', exact: true }).first().waitFor()
  const links = await page.locator('a[href^="http"]:visible').evaluateAll((all) => all.map(String))
  expect(links.filter((link) => !link.startsWith(files.origin))).toEqual([])
  await page.getByRole('link', { name: 'Posthorn documentation' }).click()
  await page.getByRole('heading', { name: 'Posthorn documentation' }).waitFor()
  await page.context().close()
})

function attributesOf(html: string, name: 'href' | 'src' | 'id'): readonly string[] {
  return [...html.matchAll(new RegExp(`<[^>]*?\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  )
}

function pathOf(url: string): string {
  return url.replace(ADDRESS, '').replace(/#.*$/, '')
}

function isFound(link: string, from: string, ids: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const url = new URL(link, ADDRESS + from)
  if (!url.href.startsWith(ADDRESS)) return /^https:/.test(link) && !link.includes('posthorn.invalid')
  const path = decodeURIComponent(url.pathname).slice(BASE.length)
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path
  const heading = decodeURIComponent(url.hash.slice(1))
  return existsSync(join(dist, file)) && (heading === '' || ids.get(file)?.has(heading) === true)
}
