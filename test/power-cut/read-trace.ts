/** Reads what strace has recorded of a program (-f -y -xx): the changes to the files of one folder, in their order. */
import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { DiskChange } from './disk.ts'

/** A write to this file, beside the folder, says that something was acknowledged. */
export const FACTS_FILE = 'facts'

export type LogEntry = DiskChange | { readonly kind: 'fact'; readonly text: string }

/** Every call that changes files or syncs them. One that the reader does not know makes it fail, in the folder. */
export const TRACED_CALLS = [
  ...['openat', 'open', 'creat', 'write', 'writev', 'pwrite64', 'pwritev', 'pwritev2', 'truncate', 'ftruncate'],
  ...['fsync', 'fdatasync', 'sync_file_range', 'fallocate', 'copy_file_range', 'sendfile', 'unlink', 'unlinkat'],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat'],
]

/** Shared memory of the connections to the database: the next opening writes it anew. */
const NOT_KEPT = /-shm$/

/** A sync may miss what other threads write after its beginning. */
const BEGINS_SYNC = /^f(?:data)?sync\(/

interface Call {
  readonly thread: string
  readonly name: string
  readonly words: string
  readonly result: number
}

export function readTrace(path: string, folder: string): readonly LogEntry[] {
  const known = new Set<string>()
  return [...readCalls(readFileSync(path, 'latin1'))].flatMap((call) => readEntries(call, folder, known))
}

/** Calls in the order in which they returned; strace splits one that another thread's call came into. */
function* readCalls(text: string): Generator<Call> {
  const begun = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const unfinished = /^(.*) <unfinished \.\.\.>$/.exec(rest)
    if (unfinished !== null) {
      const words = unfinished[1] ?? ''
      begun.set(thread, words)
      if (BEGINS_SYNC.test(words)) yield { thread, name: 'begin sync', words, result: 0 }
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)
    const whole = resumed === null ? rest : (begun.get(thread) ?? '') + resumed[1]
    const [, name, words = '', result] = /^(\w+)\((.*)\) += (\d+)(?:<.*>)?$/.exec(whole) ?? []
    if (name !== undefined) yield { thread, name, words, result: Number(result) }
  }
}

function readEntries({ thread, name, words, result }: Call, folder: string, known: Set<string>): readonly LogEntry[] {
  const paths = [...words.matchAll(/[<"]((?:\\x[0-9a-f]{2})+)[>"]/g)].map(([, hex = '']) => readBytes(hex).toString())
  const path = paths.find((each) => each === folder || dirname(each) === folder || each === factsOf(folder))
  if (path === undefined || NOT_KEPT.test(path)) return []
  if (path === factsOf(folder))
    return name === 'pwrite64' ? [{ kind: 'fact', text: readWrite(words, result).bytes.toString() }] : []
  const file = basename(path)
  switch (name) {
    case 'openat':
      return readOpening(file, words, known)
    case 'pwrite64': {
      const { at, bytes } = readWrite(words, result)
      return [{ kind: 'write', file, at, bytes }]
    }
    case 'ftruncate':
      return [{ kind: 'truncate', file, size: Number(/, (\d+)$/.exec(words)?.[1]) }]
    case 'begin sync':
      return path === folder ? [] : [{ kind: 'begin sync', file, thread }]
    case 'fsync':
    case 'fdatasync':
      return [path === folder ? { kind: 'sync folder' } : { kind: 'sync', file, thread }]
    case 'unlink':
      known.delete(file)
      return [{ kind: 'remove', file }]
    default:
      throw new Error(`${name} of ${file} cannot be replayed`)
  }
}

function readWrite(words: string, written: number): { readonly at: number; readonly bytes: Buffer } {
  const [, hex = '', at = ''] = /, "([^"]*)", \d+, (\d+)$/.exec(words) ?? []
  const bytes = readBytes(hex).subarray(0, written)
  if (bytes.length !== written) throw new Error('strace has cut a write short')
  return { at: Number(at), bytes }
}

function readOpening(file: string, words: string, known: Set<string>): readonly LogEntry[] {
  if (words.includes('O_TRUNC')) throw new Error(`an opening that empties ${file} cannot be replayed`)
  if (!words.includes('O_CREAT') || known.has(file)) return []
  known.add(file)
  return [{ kind: 'create', file }]
}

function factsOf(folder: string): string {
  return `${dirname(folder)}/${FACTS_FILE}`
}

function readBytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex')
}
