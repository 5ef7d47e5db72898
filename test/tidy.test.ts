/** The rules of the house that no compiler holds: who may import whom, names, sizes, and who may ask the world. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  filesUnder,
  findCircles,
  importsOf,
  importsOfFolders,
  linksOf,
  longCommentLines,
  read,
  readSource,
  type Source,
  withoutComments,
} from './support/sources.ts'

const ROOT = join(import.meta.dirname, '..')

/** What each room imports besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  contract: ['domain'],
  ports: ['domain'],
  sheets: [],
  operations: ['contract', 'domain', 'ports'],
  delivery: ['domain', 'ports'],
  wire: ['domain', 'ports'],
  stores: ['domain', 'ports'],
  carriers: ['delivery', 'domain', 'ports', 'wire'],
  http: ['contract', 'delivery', 'domain', 'operations', 'ports', 'wire'],
  apis: ['contract', 'domain', 'http', 'operations', 'ports', 'wire'],
  simulator: ['domain', 'ports', 'wire'],
  // These put the others together.
  app: [
    ...[
      'apis',
      'carriers',
      'contract',
      'delivery',
      'domain',
      'http',
      'operations',
      'ports',
      'simulator',
      'stores',
      'wire',
    ],
  ],
  sandbox: ['app', 'domain', 'operations', 'ports', 'simulator', 'stores'],
  cli: ['app', 'contract', 'domain', 'operations', 'ports', 'sandbox', 'sheets', 'stores'],
}

/** Each database stands for itself; what all of them share is in this folder of the room. */
const SHARED_BY_STORES = [
  'src/stores/admission',
  'src/stores/recording',
  'src/stores/rows',
  'src/stores/changes',
  'src/stores/commands',
  'src/stores/vault',
  'src/stores/move',
  'src/stores/tables',
]

const BANNED_NAMES = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'manager', 'service', 'types', 'index']

const LONGEST_FILE = 500

const MAX_FILES = 25

/** The words for kinds of fields: each table of fields has its own kinds of the same names. */
const FIELD_KINDS = [
  'src/app/settings/setting-readers.ts',
  'src/carriers/shared/setting-kinds.ts',
  'src/contract/fields/kinds.ts',
  'src/operations/admin/fields/shapes.ts',
]

/** Folders with more files, and why. */
const LARGE_FOLDERS: Readonly<Record<string, string>> = {}

/** Longer than that, and why. */
const LONG_FILES: Readonly<Record<string, string>> = {}

/** Characters; the formatter checks code only. */
const LONGEST_COMMENT_LINE = 120

/** What only some files may do, because tests put something else in their place. */
const RESERVED: readonly { readonly what: string; readonly pattern: RegExp; readonly allowed: readonly string[] }[] = [
  { what: 'the environment', pattern: /\bprocess\s*\.\s*env\b/, allowed: ['src/app/settings/config.ts'] },
  {
    what: 'time',
    // A socket's own time-out for idleness is the system's affair.
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|(?<!socket\.)\bset(?:Timeout|Interval)\b|node:timers/,
    allowed: ['src/app/system/system-clock.ts'],
  },
  {
    // Keys and nonces are never seeded, so they are taken where they are made.
    what: 'chance',
    pattern: /\bMath\.random\b|\brandom(?:Bytes|Int|UUID|FillSync|Fill)\b|\bgetRandomValues\b/,
    allowed: [
      'src/app/system/system-random.ts',
      'src/stores/vault/key-ring.ts',
      'src/stores/vault/open-vault.ts',
      'src/stores/commands/installation/sealing-key.ts',
    ],
  },
]

const SOURCES: readonly Source[] = filesUnder('src')
  .filter((path) => path.endsWith('.ts'))
  .map(readSource)

/** The client is a package of its own, for any runtime: it knows neither us nor Node. */
const CLIENT_SOURCES: readonly Source[] = filesUnder('client/src').map(readSource)

/** Written by a tool, and not in the repository. */
const GENERATED = ['console/src/api/admin-api.ts', 'console/src/api/channels.ts']

/** The console is built for browsers: of the rooms it knows what its tools generate, and the one made for both. */
const MADE_FOR_BROWSERS = 'src/sheets/'

const CONSOLE_SOURCES: readonly Source[] = filesUnder('console/src')
  .filter((path) => /\.tsx?$/.test(path) && !GENERATED.includes(path))
  .map(readSource)

/** What users of the client import: the one file that may hand on what others export. */
const CLIENT_ENTRY = 'client/src/posthorn-client.ts'

const BY_PATH = new Map(SOURCES.map((source) => [source.path, source]))

describe('imports', () => {
  test('point to files that exist', () => {
    expect(complaints((source) => source.imports.filter((path) => !existsSync(join(ROOT, path))))).toEqual([])
  })

  test('point inwards', () => {
    expect(complaints((source) => source.imports.filter((path) => !mayImport(source.path, path)))).toEqual([])
  })

  test('are those that are listed, and no others', () => {
    const imported = Map.groupBy(
      SOURCES.flatMap(({ path, imports }) => imports.map((to) => [roomOf(path), roomOf(to)] as const)),
      ([from]) => from,
    )
    const rooms = [...imported].flatMap(([from, pairs]) => {
      const others = [...new Set(pairs.map(([, to]) => to))].filter((to) => to !== null && to !== from)
      return from === null ? [] : [[from, others.sort()] as const]
    })
    expect(Object.fromEntries(rooms)).toEqual(MAY_IMPORT)
  })

  test('make no circles', () => {
    expect(findCircles(BY_PATH.keys(), (path) => BY_PATH.get(path)?.imports ?? [])).toEqual([])
  })

  test('make no circles of folders beside each other', () => {
    const imported = importsOfFolders(SOURCES)
    expect(findCircles(imported.keys(), (folder) => imported.get(folder) ?? [])).toEqual([])
  })

  test('of the domain are free of Node', () => {
    const found = complaints((source) =>
      roomOf(source.path) === 'domain'
        ? [...source.code.matchAll(/from '(node:[^']+)'/g)].map(([, name = '']) => name)
        : [],
    )
    expect(found).toEqual([])
  })
})

describe('the client', () => {
  test('imports its own files and nothing else, and is imported by no room', () => {
    const foreign = CLIENT_SOURCES.flatMap(({ path, code, imports }) => [
      ...imports.filter((other) => !other.startsWith('client/src/')).map((other) => `${path}: ${other}`),
      ...[...code.matchAll(/\bfrom '([^.'][^']*)'/g)].map(([, name]) => `${path}: ${name}`),
    ])
    expect(foreign).toEqual([])
    expect(complaints(({ imports }) => imports.filter((other) => other.startsWith('client/')))).toEqual([])
  })

  test('is written as the rooms are', () => {
    const unlike = CLIENT_SOURCES.filter(
      ({ path, text, code }) =>
        !/^\/\*\*/.test(text) ||
        text.split('\n').length - 1 > LONGEST_FILE ||
        /^export default\b/m.test(code) ||
        (path !== CLIENT_ENTRY && /^export (?:type )?(?:\*|\{[^}]*\} from)/m.test(code)),
    )
    expect(unlike.map(({ path }) => path)).toEqual([])
  })
})

describe('the console', () => {
  const faultsIn = (find: (source: Source) => readonly string[]) =>
    CONSOLE_SOURCES.flatMap((source) => find(source).map((found) => `${source.path}: ${found}`))
  /** `console/src/pages/login` for files of that page. */
  const pageOf = (path: string) => /^console\/src\/pages\/[^/]+/.exec(path)?.[0]

  test('imports its own files, sheets and packages of npm, and is imported by no room', () => {
    const foreign = faultsIn(({ imports }) =>
      imports.filter((other) => !['console/src/', MADE_FOR_BROWSERS].some((start) => other.startsWith(start))),
    )
    expect(foreign).toEqual([])
    expect(faultsIn(({ code }) => [...code.matchAll(/from '(node:[^']+)'/g)].map(([, name = '']) => name))).toEqual([])
    expect(complaints(({ imports }) => imports.filter((other) => other.startsWith('console/')))).toEqual([])
  })

  test('has pages that do not import each other', () => {
    const crossing = faultsIn(({ path, imports }) =>
      imports.filter((other) => pageOf(path) !== undefined && ![undefined, pageOf(path)].includes(pageOf(other))),
    )
    expect(crossing).toEqual([])
  })

  test('is written as the rooms are', () => {
    const unlike = CONSOLE_SOURCES.filter(
      ({ text, code }) =>
        !/^\/\*\*/.test(text) ||
        text.split('\n').length - 1 > LONGEST_FILE ||
        /^export default\b/m.test(code) ||
        /^export (?:type )?(?:\*|\{[^}]*\} from)/m.test(code),
    )
    expect(unlike.map(({ path }) => path)).toEqual([])
  })

  test('never writes HTML from texts, and asks no other host', () => {
    const pattern =
      /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|['"`]https?:\/\/(?!www\.w3\.org)/g
    expect(faultsIn(({ code }) => code.match(pattern) ?? [])).toEqual([])
  })
})

describe('exported names', () => {
  test('stand for one thing each: the same name only for what both stores, or several tables of fields, have', () => {
    const pattern = /^export (?:abstract |async )*(?:function\*?|const|class|interface|type) (\w+)/gm
    const exported = SOURCES.flatMap(({ path, code }) =>
      [...new Set([...code.matchAll(pattern)].map(([, name = '']) => name))].map((name) => ({ name, path })),
    )
    const byName = Map.groupBy(exported, ({ name }) => name)
    const twice = [...byName].flatMap(([name, found]) => {
      const paths = found.map(({ path }) => path)
      return paths.length === 1 || mayShareName(paths) ? [] : [`${name}: ${paths.join(', ')}`]
    })
    expect(byName.size).toBeGreaterThan(1_000)
    expect(twice).toEqual([])
  })
})

describe('files', () => {
  test('are named for what they are, in kebab case', () => {
    const wrong = filesUnder('src', 'test', 'bench', 'client', 'console').filter((path) => {
      const names = relative('.', path).split('/')
      const stem = basename(path).replace(/(\.(property|test|d))*\.(ts|tsx|js|mjs)$/, '')
      return (
        /\.(tsx?|js|mjs)$/.test(path) &&
        !path.endsWith('.config.ts') &&
        (BANNED_NAMES.includes(stem) || !names.slice(0, -1).concat(stem).every(isKebab))
      )
    })
    expect(wrong).toEqual([])
  })

  test('open with a comment that says what they are', () => {
    expect(
      complaints(({ text }) => (/^(#!.*\n)?\/\*\*[\s\S]*?[a-z][\s\S]*?\*\//.test(text) ? [] : ['no opening comment'])),
    ).toEqual([])
  })

  test('are short enough to read, or say here why not', () => {
    const paths = [...SOURCES.map(({ path }) => path), ...filesUnder('test').filter((path) => path.endsWith('.ts'))]
    const long = paths.filter((path) => read(path).split('\n').length - 1 > LONGEST_FILE)
    expect(long.sort()).toEqual(Object.keys(LONG_FILES).sort())
  })

  test('are at most 25 in a folder', () => {
    const files = Map.groupBy([...SOURCES, ...CONSOLE_SOURCES], ({ path }) => dirname(path))
    const large = [...files].flatMap(([folder, { length }]) => (length > MAX_FILES ? [folder] : []))
    expect(large.sort()).toEqual(Object.keys(LARGE_FOLDERS).sort())
  })

  test('have comments of at most 120 characters a line', () => {
    const long = filesUnder('src', 'test', 'bench', 'client', 'console')
      .filter((path) => /\.(tsx?|js|mjs)$/.test(path) && !GENERATED.includes(path))
      .flatMap((path) => longCommentLines(read(path), LONGEST_COMMENT_LINE).map((line) => `${path}:${line}`))
    expect(long).toEqual([])
  })

  test('export by name, and hand nothing on', () => {
    const pattern = /^export default\b|^export \*.*|^export (?:type )?\{[^}]*\} from .*/gm
    expect(complaints(({ code }) => code.match(pattern) ?? [])).toEqual([])
  })
})

describe('only the files listed above', () => {
  test.each(RESERVED)('use $what', ({ pattern, allowed }) => {
    const found = complaints(({ path, code }) =>
      allowed.includes(path) ? [] : code.split('\n').flatMap((line) => (pattern.test(line) ? [line.trim()] : [])),
    )
    expect(found).toEqual([])
    expect(allowed.filter((path) => !BY_PATH.has(path))).toEqual([])
  })
})

describe('a rule', () => {
  /** The sentences with which the sources of a folder refuse something or fail. */
  const refusalsIn = (folder: string) =>
    SOURCES.filter(({ path }) => path.startsWith(`src/stores/${folder}/`)).flatMap(({ code }) =>
      [...code.matchAll(/\b(?:refuse|\w*(?:Error|Refused|Conflict))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
        ([, , sentence = '']) => sentence,
      ),
    )

  test('refuses in one store, or in what both share, but never in each', () => {
    const inPostgres = new Set(refusalsIn('postgres'))
    expect(inPostgres.size).toBeGreaterThan(5)
    expect(refusalsIn('sqlite').filter((sentence) => inPostgres.has(sentence))).toEqual([])
  })
})

describe('documents', () => {
  const documents = [
    ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
    ...filesUnder('docs', 'examples', 'client', 'console', 'bench').filter((path) => path.endsWith('.md')),
  ]

  test('link to files that exist', () => {
    const broken = documents.flatMap((path) =>
      linksOf(read(path))
        .filter((link) => !existsSync(join(ROOT, dirname(path), decodeURI(link))))
        .map((link) => `${path}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  test('number each decision once', () => {
    const numbers = filesUnder('docs/decisions').map((path) => basename(path).slice(0, 4))
    expect(numbers.length).toBeGreaterThan(30)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test('name files that exist', () => {
    const unchecked = /^CHANGELOG\.md$|^docs\/decisions\//
    const toBeWritten = ['src/operations/read/check-phone.ts', 'examples/phone-check.json']
    const named = documents
      .filter((path) => !unchecked.test(path))
      .flatMap((path) =>
        [
          ...read(path).matchAll(
            /`((?:src|test|client|console|bench|deploy|examples|assets|scripts)\/[\w/.-]+\.\w+)`/g,
          ),
        ].map(([, name = '']) => ({ path, name })),
      )
    expect(named.length).toBeGreaterThan(100)
    const missing = named.filter(({ name }) => !existsSync(join(ROOT, name)) && !toBeWritten.includes(name))
    expect(missing).toEqual([])
  })

  test.skipIf(!existsSync(join(ROOT, 'ARCHITECTURE.md')))('name every room', () => {
    const text = read('ARCHITECTURE.md')
    const rooms = [...new Set(SOURCES.map(({ path }) => roomOf(path)))].filter((room) => room !== null)
    expect(rooms.filter((room) => !text.includes(`src/${room}`))).toEqual([])
    expect(rooms.filter((room) => !(room in MAY_IMPORT))).toEqual([])
  })
})

describe('these rules can fail', () => {
  test('for imports', () => {
    expect(mayImport('src/domain/money/money.ts', 'src/ports/system/clock.ts')).toBe(false)
    expect(mayImport('src/carriers/rbm/submit.ts', 'src/simulator/rbm/rbm.ts')).toBe(false)
    expect(mayImport('src/carriers/rbm/submit.ts', 'src/wire/json.ts')).toBe(true)
    expect(mayImport('src/stores/sqlite/schema/schema.ts', 'src/wire/json.ts')).toBe(false)
    expect(mayImport('src/stores/postgres/engine/engine.ts', 'src/stores/sqlite/statement/statement.ts')).toBe(false)
    expect(mayImport('src/stores/rows/cells/cell.ts', 'src/stores/sqlite/statement/statement.ts')).toBe(false)
    expect(mayImport('src/stores/sqlite/schema/money.ts', 'src/stores/sqlite/schema/schema.ts')).toBe(true)
    expect(mayImport('src/stores/sqlite/engine/engine.ts', 'src/stores/rows/cells/cell.ts')).toBe(true)
    expect(mayImport('src/delivery/intake/pump.ts', 'src/app/gateway.ts')).toBe(false)
    expect(mayImport('src/delivery/intake/pump.ts', 'package.json')).toBe(false)
    expect(mayImport('src/cli/run/sandbox.ts', 'src/app/gateway.ts')).toBe(true)
    expect(mayImport('src/unheard-of/thing.ts', 'src/domain/money/money.ts')).toBe(false)
  })

  test('for circles of folders', () => {
    const sources = [
      { path: 'src/a/b/x.ts', imports: ['src/a/c/y.ts', 'src/a/z.ts', 'src/a/b/w.ts'] },
      { path: 'src/a/c/d/y.ts', imports: ['src/a/b/x.ts'] },
    ]
    const imported = importsOfFolders(sources)
    expect(imported).toEqual(
      new Map([
        ['src/a/b', ['src/a/c', 'src/a/*']],
        ['src/a/c', ['src/a/b']],
      ]),
    )
    expect(findCircles(imported.keys(), (folder) => imported.get(folder) ?? [])).toEqual([
      'src/a/b → src/a/c → src/a/b',
    ])
  })

  test('for words in code, not for words about it', () => {
    expect(withoutComments("a() // Date.now()\n/* Date.now() */ b('http://x') // c")).toBe("a() \n b('http://x') ")
    expect(withoutComments("const url = 'https://a.example/*' // x\nfetch(`//a`)")).toBe(
      "const url = 'https://a.example/*' \nfetch(`//a`)",
    )
  })

  test('for long comments', () => {
    const long = 'x'.repeat(LONGEST_COMMENT_LINE)
    const lines = [`/** ${long} */`, `  // ${long}`, `   * ${long}`, `const text = '${long}'`, '// short']
    expect(longCommentLines(lines.join('\n'), LONGEST_COMMENT_LINE)).toEqual([1, 2, 3])
  })

  test('for imports of every form', () => {
    const text = [
      "import type { A } from './a.ts'",
      "import './b.ts'",
      'import {\n  C,\n  type D,\n} from "../c.ts"',
      "const d = await import('./d.ts')",
      "export { E } from './e.ts'",
      "import f from 'node:fs'",
    ].join('\n')
    expect(importsOf('src/room/x.ts', text)).toEqual([
      'src/room/a.ts',
      'src/room/b.ts',
      'src/c.ts',
      'src/room/d.ts',
      'src/room/e.ts',
    ])
  })

  test('for links', () => {
    expect(linksOf('[a](./a.md#top) ![b](b.png "B") [c](https://c.example) [d](#d) `[e](e.md)`\n\n[f]: f.md')).toEqual([
      './a.md',
      'b.png',
      'f.md',
    ])
  })
})

/** One line for each thing that is wrong with a source: its path and what was found. */
function complaints(find: (source: Source) => readonly string[]): string[] {
  return SOURCES.flatMap((source) => find(source).map((found) => `${source.path}: ${found}`))
}

/** The files that read the version. */
const READ_VERSION = ['src/ports/system/user-agent.ts', 'src/cli/program.ts']

function mayImport(from: string, to: string): boolean {
  if (to === 'package.json' && READ_VERSION.includes(from)) return true
  const room = roomOf(from)
  if (room === null) return true
  const other = roomOf(to)
  if (room === 'stores' && other === 'stores' && !SHARED_BY_STORES.includes(to.split('/').slice(0, 3).join('/')))
    return sharesFolder(from, to)
  return other === room || (other !== null && (MAY_IMPORT[room] ?? []).includes(other))
}

/** Whether these are tables of kinds of fields, or a command as each of the stores and their shared rules know it. */
function mayShareName(paths: readonly string[]): boolean {
  if (paths.every((path) => FIELD_KINDS.includes(path))) return true
  const sides = paths.map((path) => /^src\/stores\/(?:sqlite|postgres|commands|changes)\//.exec(path)?.[0])
  return !sides.includes(undefined) && new Set(sides).size === sides.length
}

/** Whether both are in the same folder of their room. */
function sharesFolder(one: string, other: string): boolean {
  return one.split('/')[2] === other.split('/')[2]
}

/** `domain` for `src/domain/money/money.ts`; null for a file beside the rooms. */
function roomOf(path: string): string | null {
  const [, room, rest] = path.split('/')
  return room === undefined || rest === undefined ? null : room
}

function isKebab(name: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)
}
