/** Links between documents that name a heading lead to one. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { slugOf } from '../site/pages.ts'

const ROOT = join(import.meta.dirname, '..')
const DOCUMENTS = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md', 'client/README.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
]

test('links lead to headings that exist', () => {
  const links = DOCUMENTS.flatMap((path) => linksWithHeading(path))
  expect(links.length).toBeGreaterThan(30)
  expect(links.filter(({ target, heading }) => existsSync(target) && !headingsOf(target).includes(heading))).toEqual([])
})

test('a heading becomes the name by which GitHub links to it', () => {
  expect(slugOfLine('## `template/list` and `template/delete`')).toBe('templatelist-and-templatedelete')
  expect(slugOfLine('### Google RCS (`rbm`)')).toBe('google-rcs-rbm')
  expect(slugOfLine('## `send_at`: sending later')).toBe('send_at-sending-later')
})

function linksWithHeading(path: string): readonly { path: string; target: string; heading: string }[] {
  const found = textOf(join(ROOT, path)).matchAll(/\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)/g)
  return [...found].map(([, file = '', heading = '']) => {
    const target = file === '' ? join(ROOT, path) : join(ROOT, dirname(path), file)
    return { path, target, heading }
  })
}

function headingsOf(path: string): readonly string[] {
  return [...textOf(path).matchAll(/^#{1,6} .+$/gm)].map(([line]) => slugOfLine(line))
}

function slugOfLine(line: string): string {
  return slugOf(line.replace(/^#+ /, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
}

/** Without blocks of code. */
function textOf(path: string): string {
  return readFileSync(path, 'utf8').replace(/^ *(`{3,})[\s\S]*?^ *\1/gm, '')
}
