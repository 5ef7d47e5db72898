/**
 * The keys of an installation: in a file of its own, or given by the environment, and never part of the database. Several
 * of them while texts are sealed anew. A key is named by what its hash begins with, so that a name tells nothing of it.
 */
import { hash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from './durable-folder.ts'

/** Where the keys are. It crosses to other threads, and a file is read again when a key is missed. */
export type KeySource =
  | { readonly kind: 'file'; readonly path: string }
  /** `keys` as in a file; `name` says where they were given. */
  | { readonly kind: 'given'; readonly name: string; readonly keys: string }

export interface Key {
  /** Eight hexadecimal digits. */
  readonly id: string
  /** 32 of them. */
  readonly bytes: Uint8Array
}

const KEY_BYTES = 32
const ID_CHARACTERS = 8

/** The keys, the newest first, at least one. Throws an Error for people when there is none or something else as well. */
export function readKeys(source: KeySource): readonly Key[] {
  if (source.kind === 'given') return parseKeys(source.keys, source.name)
  const { path } = source
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new Error(`${path} is open to others than its owner; do: chmod 600 ${path}`)
  }
  return parseKeys(readFileSync(path, 'latin1'), path)
}

/** What people call the place of the keys. */
export function placeOf(source: KeySource): string {
  return source.kind === 'given' ? source.name : source.path
}

/** Makes the file with a first key, readable by its owner alone, unless it is there. */
export function makeKeyFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeKeys(openPrivate(draft), [randomBytes(KEY_BYTES)])
  try {
    // Of two processes that make it at once, one makes it.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  syncFolder(dirname(path))
}

/** Puts a new key in front of the others in the file. Answers with its id. Throws an Error for people. */
export function addKey(path: string): string {
  const bytes = randomBytes(KEY_BYTES)
  changeKeys(path, (keys) => [bytes, ...keys.map((key) => key.bytes)])
  return nameKey(bytes).id
}

/** Takes a key out of the file for ever. */
export function removeKey(path: string, id: string): void {
  changeKeys(path, (keys) => keys.filter((key) => key.id !== id).map((key) => key.bytes))
}

/** The draft is a lock as well: of two changes at once, one would lose the other's key. */
function changeKeys(path: string, change: (keys: readonly Key[]) => readonly Uint8Array[]): void {
  const draft = `${path}.new`
  let file: number
  try {
    file = openPrivate(draft)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Error(`${draft} is there: another command changes the keys, or one has crashed and left it to be removed`)
  }
  try {
    writeKeys(file, change(readKeys({ kind: 'file', path })))
    renameSync(draft, path)
  } catch (error) {
    unlinkSync(draft)
    throw error
  }
  syncFolder(dirname(path))
}

function parseKeys(text: string, place: string): readonly Key[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  if (words.length === 0 || !words.every((word) => /^[0-9a-f]{64}$/i.test(word))) {
    throw new Error(`${place} does not hold keys of 64 hexadecimal digits each`)
  }
  return words.map((word) => nameKey(Buffer.from(word, 'hex')))
}

function nameKey(bytes: Uint8Array): Key {
  return { id: hash('sha256', Buffer.concat([Buffer.from('posthorn key '), bytes])).slice(0, ID_CHARACTERS), bytes }
}

function openPrivate(path: string): number {
  const file = openSync(path, 'wx', 0o600)
  chmodSync(path, 0o600)
  return file
}

function writeKeys(file: number, keys: readonly Uint8Array[]): void {
  try {
    writeSync(file, keys.map((bytes) => `${Buffer.from(bytes).toString('hex')}\n`).join(''))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
