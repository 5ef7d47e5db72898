/** Reads the sources of the repository for tests of their form: what they import, their comments, their links. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export interface Source {
  /** From the root, as `src/domain/money/money.ts`. */
  readonly path: string
  readonly text: string
  /** The text without comments, so that words about a thing are not the thing. */
  readonly code: string
  /** Paths of our own files that it imports. */
  readonly imports: readonly string[]
}

/**
 * What each folder imports of the folders beside it. Files beside folders count as one more folder, `*`, so that a room
 * has its ground in a folder and its top beside the folders, or the other way round.
 */
export function importsOfFolders(
  sources: readonly Pick<Source, 'path' | 'imports'>[],
): ReadonlyMap<string, readonly string[]> {
  const imported = sources.flatMap(({ path, imports }) => imports.map((other) => partingFolders(path, other)))
  const pairs = imported.filter(([from, to]) => from !== to)
  const byFolder = Map.groupBy(pairs, ([from]) => from)
  return new Map([...byFolder].map(([from, each]) => [from, [...new Set(each.map(([, to]) => to))]]))
}

/** `src/a/b` and `src/a/c` for `src/a/b/x.ts` and `src/a/c/d/y.ts`. */
function partingFolders(one: string, other: string): readonly [string, string] {
  const [from, to] = [one.split('/').slice(0, -1), other.split('/').slice(0, -1)]
  const found = from.findIndex((name, index) => name !== to[index])
  const shared = found < 0 ? from.length : found
  const folderOf = (names: readonly string[]) => [...names.slice(0, shared), names[shared] ?? '*'].join('/')
  return [folderOf(from), folderOf(to)]
}

/** Each circle once, as the path that closes it. */
export function findCircles(starts: Iterable<string>, importsOf: (path: string) => readonly string[]): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path)
    if (at >= 0) circles.push([...trail.slice(at), path].join(' → '))
    if (at >= 0 || done.has(path)) return
    for (const next of importsOf(path)) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of starts) visit(path, [])
  return circles
}

export function readSource(path: string): Source {
  const text = read(path)
  const code = withoutComments(text)
  return { path, text, code, imports: importsOf(path, code) }
}

/** Relative imports, static and dynamic, types included. */
export function importsOf(path: string, code: string): string[] {
  const pattern = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"]+)\1/g
  return [...code.matchAll(pattern)].map(([, , target = '']) => join(dirname(path), target))
}

/** Returns the numbers of the comment lines that are longer than this, from 1. */
export function longCommentLines(text: string, longest: number): readonly number[] {
  return text
    .split('\n')
    .flatMap((line, index) => (/^\s*(?:\/?\*|\/\/)/.test(line) && line.length > longest ? index + 1 : []))
}

/** Strings and patterns are stepped over, so that what looks like a comment inside them stays. */
export function withoutComments(text: string): string {
  const pattern =
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:!&|?[]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\n\\])*\]|[^/\\\n])+\/)|\/\/.*|\/\*[\s\S]*?\*\//g
  return text.replace(pattern, (_, kept: string | undefined) => kept ?? '')
}

/** Relative links and images of a Markdown text, without what points into them; code is passed over. */
export function linksOf(markdown: string): string[] {
  const prose = markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '')
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)/g)]
  const references = [...prose.matchAll(/^\s*\[[^\]]+\]:\s*<?([^\s>]+)/gm)]
  return [...inline, ...references]
    .map(([, link = '']) => link.replace(/[#?].*$/, ''))
    .filter((link) => link !== '' && !/^[a-z][a-z+.-]*:|^\/\//i.test(link))
}

export function filesUnder(...folders: readonly string[]): string[] {
  return folders
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
        .filter((path) => !/(^|\/)(node_modules|dist|data)\//.test(path))
        .sort(),
    )
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
