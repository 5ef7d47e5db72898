/**
 * The client as its users get it: built, and lying as a package in the `node_modules` of a project of its own in a
 * temporary folder. Tests run it from there, and compile and run programs that use it.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

export type ClientModule = typeof import('../../client/src/posthorn-client.ts')

/** What the compiler has written, for further projects: compiling takes longer than most tests. */
let dist: readonly (readonly [name: string, bytes: Buffer])[] | null = null

export class BuiltClient {
  /** The project. */
  readonly folder = mkdtempSync(join(tmpdir(), 'posthorn-client-'))
  readonly package = join(this.folder, 'node_modules/posthorn-client')

  constructor() {
    for (const file of ['package.json', 'README.md', 'LICENSE']) {
      cpSync(join(ROOT, 'client', file), join(this.package, file))
    }
    dist ??= build(join(this.package, 'dist'))
    for (const [name, bytes] of dist) this.write(join('node_modules/posthorn-client/dist', name), bytes)
    this.write('package.json', JSON.stringify({ type: 'module' }))
  }

  load(): Promise<ClientModule> {
    return import(pathToFileURL(join(this.package, 'dist/posthorn-client.js')).href)
  }

  /** Writes a file of the project and returns its path. */
  write(name: string, text: string | Buffer): string {
    const path = join(this.folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  /** What the compiler reports of a program that uses the package; empty if it compiles. */
  typeErrors(program: string, options: Readonly<Record<string, unknown>> = {}): string {
    return this.#compile([program], options)
  }

  /** Which of the programs, compiled at once, do not compile: their indexes, in order. */
  wrongPrograms(programs: readonly string[]): readonly number[] {
    const errors = this.#compile(programs, {})
    return [...programs.keys()].filter((index) => errors.includes(`${fileOf(index)}(`))
  }

  #compile(programs: readonly string[], options: Readonly<Record<string, unknown>>): string {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      lib: ['es2022', 'webworker'],
      types: [],
      ...options,
    }
    for (const [index, program] of programs.entries()) this.write(`program/${fileOf(index)}`, program)
    const files = [...programs.keys()].map(fileOf)
    const project = this.write('program/tsconfig.json', JSON.stringify({ compilerOptions, files }))
    return runTsc(['-p', project, '--pretty', 'false'])
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Returns the files of the build. */
function build(folder: string): readonly (readonly [name: string, bytes: Buffer])[] {
  const errors = runTsc(['-p', join(ROOT, 'client/tsconfig.build.json'), '--outDir', folder])
  if (errors !== '') throw new Error(`the client does not build: ${errors}`)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => {
    const path = join(parentPath, name)
    return [relative(folder, path), readFileSync(path)]
  })
}

function fileOf(index: number): string {
  return `program-${index}.ts`
}

function runTsc(words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [TSC, ...words], { encoding: 'utf8' })
  return status === 0 ? '' : `${stdout}${stderr}`
}
