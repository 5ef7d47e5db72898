/**
 * The pages of the documentation site and their places in the navigation. All of it follows from docs/README.md: each
 * of its tables "I want to | page" is a part of the navigation, with the documents that the table links to.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

export interface Page {
  /** From the root of the repository: `docs/guides/verify.md`. */
  readonly file: string
  /** On the site, without extension: `guides/verify`. */
  readonly path: string
  readonly title: string
  /** The first sentence, as plain text. */
  readonly opening: string
  readonly markdown: string
}

/** Of one kind of reader. */
interface Part {
  readonly title: string
  readonly groups: readonly { readonly title: string; readonly pages: readonly Page[] }[]
}

export interface Site {
  readonly home: Page
  readonly parts: readonly Part[]
  /** Every page once, by its file. */
  readonly pages: ReadonlyMap<string, Page>
}

const HOME = 'docs/README.md'
const GROUPS = { guides: 'Guides', operations: 'Operations', decisions: 'Decisions' } as const
const DECISION = '**Decision.**'
const OTHER_GROUP = 'Reference'

/** Reads all pages. `root` is the folder of the repository. */
export function readSite(root: string): Site {
  const home = readPage(root, HOME)
  const pages = new Map([[home.file, home]])
  const pageOf = (file: string) => {
    const page = pages.get(file) ?? readPage(root, file)
    pages.set(file, page)
    return page
  }
  const parts = home.markdown
    .split(/^## /m)
    .slice(1)
    .filter((section) => section.includes('| I want to | page |'))
    .map((section) => {
      const files = linksIn(section).flatMap((link) => documentsAt(root, resolveLink(HOME, link)))
      const byGroup = Map.groupBy(new Set(files), groupOf)
      const groups = [...byGroup].map(([title, members]) => ({ title, pages: members.map(pageOf) }))
      return { title: section.split('\n', 1)[0] ?? '', groups }
    })
  return { home, parts, pages }
}

/**
 * Returns the documents that a link to a path shows: the file itself, the README of a folder, or all documents of a
 * folder without one.
 */
export function documentsAt(root: string, path: string): readonly string[] {
  if (path.endsWith('.md')) return [path]
  const folder = join(root, path)
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return []
  if (existsSync(join(folder, 'README.md'))) return [`${path}/README.md`]
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${path}/${name}`)
}

/** Returns where a relative link of a document leads, from the root of the repository, without its heading. */
export function resolveLink(file: string, link: string): string {
  return posix.join(posix.dirname(file), link.replace(/#.*$/, '')).replace(/\/$/, '')
}

/** Returns the name by which GitHub links to a heading: lower case, no punctuation, a dash for each space. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

function readPage(root: string, file: string): Page {
  const markdown = readFileSync(join(root, file), 'utf8')
  const [heading = ''] = markdown.split('\n', 1)
  // A decision opens with its context; what it says is further down.
  const text = markdown.split(DECISION)[1] ?? markdown.slice(heading.length)
  const paragraph = plainText(text.trim().split(/\n\n|\n- /, 1)[0] ?? '')
  const opening = /^.*?\.(?=\s|$)/.exec(paragraph)?.[0] ?? paragraph
  return { file, path: sitePath(file), title: plainText(heading.replace(/^# /, '')), opening, markdown }
}

/** `docs/` is the root of the site, and a README the index of its folder. */
function sitePath(file: string): string {
  const path = file.replace(/^docs\//, '').replace(/\.md$/, '')
  return path.includes('/') ? path.replace(/\bREADME$/, 'index') : path.toLowerCase().replace(/^readme$/, 'index')
}

function groupOf(file: string): string {
  const folder = /^docs\/([a-z]+)\//.exec(file)?.[1] ?? ''
  return Object.entries(GROUPS).find(([name]) => name === folder)?.[1] ?? OTHER_GROUP
}

function linksIn(section: string): readonly string[] {
  return [...section.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, link = '']) => link)
}

function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^(?:- |\d+\. )|\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
