/** Writes the files of the site that are not pages: the API reference, texts for language models, and the icon. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openReference } from '../src/http/admin/reference-page.ts'
import type { Page, Site } from './pages.ts'
import { targetOf } from './repository-markdown.ts'
import { folderOf, ROOT, type SiteSettings } from './settings.ts'

export async function writePublicFiles(folder: string, site: Site, settings: SiteSettings): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'api/js'), { recursive: true })
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
  for (const name of ['openapi.json', 'rest-openapi.json']) copyFileSync(join(ROOT, 'docs', name), join(folder, name))
  copyFileSync(join(ROOT, 'console/public/posthorn.svg'), join(folder, 'posthorn.svg'))
  write('versions.json', JSON.stringify([folderOf(settings.version).slice(1)]))
  write('llms.txt', listForModels(site, settings))
  write('llms-full.txt', [...site.pages.values()].map((page) => textForModels(page, site, settings)).join('\n\n'))
  for (const [name, content] of await apiReference(settings.base)) write(name, content)
}

/** Returns the files of the page that shows docs/openapi.json: the one that gateways serve for the admin API. */
async function apiReference(base: `/${string}`): Promise<readonly (readonly [name: string, content: string])[]> {
  const app = await openReference(`${base}api`, { url: `${base}openapi.json`, pageTitle: 'Posthorn client API' })
  const read = async (path: string) => (await app.inject(`${base}api/${path}`)).body
  try {
    const page = (await read(''))
      .replace('<html>', '<html lang="en">')
      .replace('</head>', `  ${API_HEAD.replaceAll('BASE', base)}\n  </head>`)
      .replace('<body>', `<body>\n    <header><a href="${base}index.html">Posthorn documentation</a></header>`)
    return [
      ['api/index.html', page],
      ['api/js/scalar.js', await read('js/scalar.js')],
    ]
  } finally {
    await app.close()
  }
}

/** A bar that leads back to the documentation, in the theme that was chosen there. */
const API_HEAD = `<link rel="icon" type="image/svg+xml" href="BASEposthorn.svg" />
    <style>
      :root { --scalar-custom-header-height: 48px; }
      header { box-sizing: border-box; height: 48px; padding: 14px 24px; position: sticky; top: 0; z-index: 10;
        border-bottom: 1px solid #8884; background: #fff; font: 500 14px/20px system-ui, sans-serif; }
      header a { color: #2f4fca; }
      .dark-mode header { background: #0f0f0f; }
      .dark-mode header a { color: #9db2ff; }
    </style>
    <script>
      const chosen = localStorage.getItem('vitepress-theme-appearance')
      localStorage.setItem('colorMode', chosen === 'light' || chosen === 'dark' ? chosen : 'system')
    </script>`

/** Returns a document whose links lead to pages of the site; those that lead nowhere become plain text. */
function textForModels({ file, path, markdown }: Page, site: Site, { address, base, sources }: SiteSettings): string {
  const root = address?.href ?? base
  const linkTo = (link: string) => {
    if (link.startsWith('#')) return `${root}${path}.html${link}`
    const target = targetOf(link, file, { root: ROOT, site, sources })
    return target?.startsWith('/') ? `${root}${target.slice(1).replace(/\.md(?=#|$)/, '.html')}` : target
  }
  const withLinks = (text: string) =>
    text.replace(LINK, (_, label: string, link: string) => {
      const target = linkTo(link)
      return target === null ? label : `[${label}](${target})`
    })
  const parts = markdown.trim().split(FENCED_CODE)
  return parts.map((part, index) => (index % 2 === 0 ? withLinks(part) : part)).join('')
}

const LINK = /!?\[([^\]]*)\]\(([^)\s]+)\)/g
const FENCED_CODE = /(^ *```[\s\S]*?^ *```)/m

/** Returns the list of pages in the form of https://llmstxt.org. */
function listForModels({ parts }: Site, { description, address, base }: SiteSettings): string {
  const root = address?.href ?? base
  const sections = parts.map(({ title, groups }) => {
    const lines = groups.flatMap(({ pages }) =>
      pages.map((page) => `- [${page.title}](${root}${page.path}.html): ${page.opening}`),
    )
    return `## ${title}\n\n${lines.join('\n')}`
  })
  const files = [
    `- [OpenAPI document of the client API](${root}openapi.json)`,
    `- [All pages in one text](${root}llms-full.txt)`,
  ]
  return `${['# Posthorn', `> ${description}`, ...sections, `## Files\n\n${files.join('\n')}`].join('\n\n')}\n`
}
