/** Every document is a page of the site, can be found in its navigation, and says at its start what it is for. */
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documentsAt, readSite } from '../../site/pages.ts'
import { targetOf } from '../../site/repository-markdown.ts'
import { folderOf, ROOT, readSettings } from '../../site/settings.ts'

const site = readSite(ROOT)
const inNavigation = site.parts.flatMap(({ groups }) => groups.flatMap(({ pages }) => pages))

test('docs/README.md, from which the navigation is made, leads to every document', () => {
  const reached = new Set([site.home, ...inNavigation].map(({ file }) => file))
  expect(globSync('docs/**/*.md', { cwd: ROOT }).filter((file) => !reached.has(file))).toEqual([])
  expect(site.parts.map(({ title }) => title)).toEqual(['Send messages', 'Operate a gateway', 'Change the code'])
})

test('every page has an address of its own', () => {
  const paths = [...site.pages.values()].map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  expect(paths).toEqual(
    expect.arrayContaining(['index', 'guides/verify', 'security', 'client/index', 'examples/index']),
  )
})

test('every page has a title, and opens with a sentence', () => {
  const wrong = [...site.pages.values()].filter(
    ({ title, opening }) => title === '' || title.length > 90 || !/^[^|]{20,}\.$/.test(opening) || opening.length > 320,
  )
  expect(wrong.map(({ file, title, opening }) => ({ file, title, opening }))).toEqual([])
})

test('every column of a table has a name, which readers who listen to a page need', () => {
  const unnamed = [...site.pages.values()].flatMap(({ file, markdown }) =>
    [...markdown.matchAll(/^(\|.*\|) *\n\|[-:| ]+\|$/gm)]
      .filter(([, header = '']) => /\|\s*\|/.test(header))
      .map(([, header]) => `${file}: ${header}`),
  )
  expect(unnamed).toEqual([])
})

test('a link to a folder shows its README, or all of its documents', () => {
  expect(documentsAt(ROOT, 'examples')).toEqual(['examples/README.md'])
  expect(documentsAt(ROOT, 'docs/decisions').slice(0, 2)).toEqual([
    'docs/decisions/0001-node-runs-typescript.md',
    'docs/decisions/0002-dependencies.md',
  ])
  expect(documentsAt(ROOT, 'src/domain')).toEqual([])
})

test.each([
  ['reports.md#order', '/reference/reports.md#order'],
  ['../../SECURITY.md', '/security.md'],
  ['../decisions', '/decisions/0001-node-runs-typescript.md'],
  ['../openapi.json', '/openapi.json'],
  ['../rest-openapi.json', '/rest-openapi.json'],
  ['#here', '#here'],
  ['https://nodejs.org', 'https://nodejs.org'],
  ['../../src/main.ts', null],
])('the link %s of a reference page leads to %s', (link, target) => {
  expect(targetOf(link, 'docs/reference/api.md', { root: ROOT, site, sources: null })).toBe(target)
})

test('links to other files lead to the sources, if they can be read somewhere', () => {
  const { sources } = readSettings({ SITE_SOURCES: 'https://git.invalid/blob/v1.2.0/' })
  expect(targetOf('../src/main.ts', 'docs/limits.md', { root: ROOT, site, sources })).toBe(
    'https://git.invalid/blob/v1.2.0/src/main.ts',
  )
})

test('versions are folders beside each other; a patch replaces its version', () => {
  expect(folderOf('1.12.3')).toBe('v1.12')
  expect(readSettings({ SITE_ADDRESS: 'https://docs.invalid/posthorn/v1.12' })).toMatchObject({
    base: '/posthorn/v1.12/',
    versionsBase: '/posthorn/',
  })
  expect(readSettings({})).toMatchObject({ address: null, base: '/', versionsBase: '/', sources: null })
})
