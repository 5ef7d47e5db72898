/** The documentation site. Pages and navigation are in ../pages.ts; docs/decisions/0043 has the reasons. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { type Page, readSite, slugOf } from '../pages.ts'
import { useRepositoryMarkdown } from '../repository-markdown.ts'
import { ROOT, readSettings } from '../settings.ts'

type SearchOptions = NonNullable<NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>['searchOptions']>

const { version, description, address, base, versionsBase, sources } = readSettings(process.env)
const site = readSite(ROOT)
const byPath = new Map([...site.pages.values()].map((page) => [`${page.path}.md`, page]))

const linkTo = ({ title, path }: Page) => ({ text: title, link: `/${path}` })
const sidebar: DefaultTheme.SidebarItem[] = site.parts.map(({ title, groups }) => ({
  text: title,
  collapsed: false,
  items: groups.map((group) => ({ text: group.title, collapsed: true, items: group.pages.map(linkTo) })),
}))
const firstPages = site.parts.flatMap(({ title, groups }) =>
  groups.slice(0, 1).flatMap(({ pages }) => pages.slice(0, 1).map(({ path }) => ({ text: title, link: `/${path}` }))),
)

/** Runs in the browser, where nothing outside of the functions exists. */
const SEARCH: SearchOptions = {
  // Decisions and the changelog are history: a page that says how it is now comes first.
  boostDocument: (id: string) => (/\/(?:decisions\/|changelog\.)/.test(id) ? 0.3 : 1),
  // Only the last word can still be incomplete: `per` is not `permission`.
  prefix: (_term: string, index: number, terms: string[]) => index === terms.length - 1,
}

export default defineConfig({
  title: 'Posthorn',
  titleTemplate: `:title | Posthorn ${version}`,
  description,
  lang: 'en',
  base,
  srcDir: ROOT,
  srcExclude: foldersWithoutPages(),
  cacheDir: join(ROOT, 'node_modules/.cache/vitepress'),
  rewrites: Object.fromEntries([...site.pages.values()].map(({ file, path }) => [file, `${path}.md`])),
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}posthorn.svg` }],
    ['meta', { name: 'theme-color', content: '#3355d8' }],
  ],
  ...(address === null ? {} : { sitemap: { hostname: address.href } }),
  markdown: {
    html: false,
    anchor: { slugify: slugOf },
    config: (markdown) => useRepositoryMarkdown(markdown, { root: ROOT, site, sources }),
  },
  transformPageData: (data) => ({ description: byPath.get(data.relativePath)?.opening ?? description }),
  vite: {
    publicDir: join(ROOT, 'site/public'),
    build: { reportCompressedSize: false, chunkSizeWarningLimit: 4000 },
  },
  themeConfig: {
    logo: '/posthorn.svg',
    nav: [
      ...firstPages,
      { text: 'API', link: '/api/index.html', target: '_self' },
      { component: 'VersionSwitch', props: { version, versionsBase } },
    ],
    sidebar,
    outline: [2, 3],
    sidebarMenuLabel: 'Pages',
    search: { provider: 'local', options: { miniSearch: { searchOptions: SEARCH } } },
    externalLinkIcon: true,
  },
})

/** VitePress would make a page of every document below its root. */
function foldersWithoutPages(): string[] {
  const files = [...site.pages.keys()]
  return readdirSync(ROOT, { withFileTypes: true })
    .filter(({ name }) => !files.some((file) => file === name || file.startsWith(`${name}/`)))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/**` : entry.name))
}
