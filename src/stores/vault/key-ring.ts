/**
 * The keys of an installation: in a file of their own or in the environment, and never part of the database. There are
 * several while texts are re-sealed. A key is named by the first digits of its hash, which reveal nothing about it.
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
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isTaken, syncFolder } from './durable-folder.ts'

/** Where the keys are. Sent to other threads; a file is read again if a key is missing. */
export type KeySource =
  | { readonly kind: 'file'; readonly path: string }
  /** `keys` as in a file; `name` says where they come from. */
  | { readonly kind: 'given'; readonly name: string; readonly keys: string }

export interface Key {
  /** Eight hexadecimal digits. */
  readonly id: string
  /** 32 of them. */
  readonly bytes: Uint8Array
}

const KEY_BYTES = 32
const ID_CHARACTERS = 8

/**
 * Returns the keys, newest first, at least one. Throws an Error with a readable message if there is none or the text is
 * invalid.
 */
export function readKeys(source: KeySource): readonly Key[] {
  if (source.kind === 'given') return parseKeys(source.keys, source.name)
  const { path } = source
  if (isOpenToOthers(statSync(path))) {
    throw new Error(`${path} is open to others than its owner; do: chmod 600 ${path}`)
  }
  return parseKeys(readFileSync(path, 'latin1'), path)
}

/** A secret that the platform mounts belongs to root, and to a group of this process: PostgreSQL accepts the same. */
function isOpenToOthers({ mode, uid }: Stats): boolean {
  const isMounted = uid === 0 && process.geteuid?.() !== 0
  return (mode & (isMounted ? 0o037 : 0o077)) !== 0
}

/** The place of the keys, for messages to operators. */
export function keyPlace(source: KeySource): string {
  return source.kind === 'given' ? source.name : source.path
}

/** Creates the file with a first key, readable by its owner alone, unless it exists. */
export function makeKeyFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeKeys(openPrivate(draft), [randomBytes(KEY_BYTES)])
  try {
    // Of two concurrent processes, one creates it.
    linkSync(draft, path)
  } catch (error) {
    if (!isTaken(error)) throw error
  } finally {
    unlinkSync(draft)
  }
  syncFolder(dirname(path))
}

/** Adds a new key as the first of the file. Returns its id. Throws an Error with a readable message. */
export function addSealingKey(path: string): string {
  const bytes = randomBytes(KEY_BYTES)
  changeKeys(path, (keys) => [bytes, ...keys.map((key) => key.bytes)])
  return nameKey(bytes).id
}

/** Removes a key from the file permanently. */
export function removeKey(path: string, id: string): void {
  changeKeys(path, (keys) => keys.filter((key) => key.id !== id).map((key) => key.bytes))
}

/** The draft is also a lock: of two concurrent changes, one would lose the other's key. */
function changeKeys(path: string, change: (keys: readonly Key[]) => readonly Uint8Array[]): void {
  const draft = `${path}.new`
  let file: number
  try {
    file = openPrivate(draft)
  } catch (error) {
    if (!isTaken(error)) throw error
    throw new Error(`${draft} exists: another command is changing the keys; if one crashed, remove the file`)
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
    throw new Error(`${place} must contain keys of 64 hexadecimal digits each`)
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
