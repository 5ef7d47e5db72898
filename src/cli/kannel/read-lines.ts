/** Reads kannel.conf from the disk, with the files and folders that it includes in place of their lines. */
import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { FilePlace, Note, SourceLine } from './kannel-file.ts'
import { readPair } from './read-groups.ts'

/** Of all files together. */
const MAX_BYTES = 4 * 1024 * 1024
const MAX_FILES = 200
const MAX_DEPTH = 10
const MAX_LINE_CHARACTERS = 20_000

export interface ReadFile {
  readonly lines: readonly SourceLine[]
  readonly notes: readonly Note[]
}

/** Throws the error of the system if the file cannot be read, and Error if a limit is exceeded. */
export function readFileLines(file: string): ReadFile {
  return new LineReader().read(file)
}

class LineReader {
  readonly #lines: SourceLine[] = []
  readonly #notes: Note[] = []
  #bytes = 0
  #files = 0

  read(file: string): ReadFile {
    this.#addFile(file, [])
    return { lines: this.#lines, notes: this.#notes }
  }

  /** `above` are the files that lead to this one. */
  #addFile(file: string, above: readonly string[]): void {
    const { size } = statOfFile(file)
    this.#bytes += size
    if (this.#bytes > MAX_BYTES) throw new Error(`${file}: more than ${MAX_BYTES / 1024 / 1024} MiB with all includes`)
    if (++this.#files > MAX_FILES) throw new Error(`${file}: more than ${MAX_FILES} files with all includes`)
    const bytes = readFileSync(file)
    const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1').replace(/^\uFEFF/, '')
    for (const line of joinContinued(file, text)) {
      if (line.text.length > MAX_LINE_CHARACTERS) {
        throw new Error(`${file}:${line.line}: longer than ${MAX_LINE_CHARACTERS} characters`)
      }
      const pair = readPair(line.text)
      if (pair?.key === 'include') this.#include(pair.value, line, [...above, file])
      else this.#lines.push(line)
    }
  }

  #include(name: string, place: FilePlace, above: readonly string[]): void {
    // Kannel resolves names from its working folder, which is often that of the file.
    const candidates = isAbsolute(name) ? [name] : [join(dirname(place.file), name), name]
    const path = candidates.find((each) => statSync(each, { throwIfNoEntry: false }) !== undefined)
    const why = path === undefined ? 'there is no such file or folder' : above.includes(path) ? 'includes itself' : null
    if (path === undefined || why !== null) {
      this.#notes.push({ file: place.file, line: place.line, subject: 'include', why: why ?? '' })
    } else if (above.length > MAX_DEPTH) {
      throw new Error(`${place.file}:${place.line}: more than ${MAX_DEPTH} includes inside one another`)
    } else {
      for (const file of filesAt(path)) this.#addFile(file, above)
    }
  }
}

/** Throws Error for anything but a file: a device may never end. */
function statOfFile(path: string) {
  const found = statSync(path)
  if (!found.isFile()) throw new Error(`${path}: is no file`)
  return found
}

/** Returns the files of a folder and of its folders, sorted by name; of a file itself. */
function filesAt(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** A line that ends with a backslash continues on the next one. */
function joinContinued(file: string, text: string): readonly SourceLine[] {
  const lines: SourceLine[] = []
  let begun: SourceLine | null = null
  for (const [index, each] of text.split(/\r\n?|\n/).entries()) {
    const isComment: boolean = begun === null && each.trimStart().startsWith('#')
    const start: string | undefined = isComment ? undefined : /^(.*)\\\s*$/.exec(each)?.[1]
    const joined: SourceLine =
      begun === null ? { file, line: index + 1, text: start ?? each } : { ...begun, text: begun.text + (start ?? each) }
    begun = start === undefined ? null : joined
    if (begun === null) lines.push(joined)
  }
  return begun === null ? lines : [...lines, begun]
}
