/**
 * A disk that loses power. It records everything that a program did to its files, and rebuilds what can be on it after
 * a cut: everything that was synced, and of the rest some sectors, whatever the order in which they were written.
 */
import type { SeededRandom } from '../support/seeded-random.ts'

export type DiskChange =
  | { readonly kind: 'create' | 'remove'; readonly file: string }
  /** A sync without a beginning covers everything that was written before. */
  | { readonly kind: 'begin sync' | 'sync'; readonly file: string; readonly thread: string }
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly size: number }
  /** Names of files that are new or gone. */
  | { readonly kind: 'sync folder' }

type ContentChange = Extract<DiskChange, { kind: 'write' | 'truncate' }>

interface File {
  synced: Buffer
  unsynced: ContentChange[]
}

const SECTOR_BYTES = [512, 4_096] as const
/** Of the unsynced sectors, in percent; one of them for each cut. */
const SURVIVING = [0, 10, 50, 90, 100] as const

export class Disk {
  /** By the names that programs see. */
  readonly #files = new Map<string, File>()
  /** By the names that are synced. */
  readonly #syncedNames = new Map<string, File>()
  /** What the syncs cover that are under way, by thread. */
  readonly #syncing = new Map<string, ReadonlySet<ContentChange>>()
  #unsyncedNames: { readonly name: string; readonly file: File | null }[] = []

  apply(change: DiskChange): void {
    switch (change.kind) {
      case 'create':
        this.#create(change.file)
        break
      case 'remove':
        this.#files.delete(change.file)
        this.#unsyncedNames.push({ name: change.file, file: null })
        break
      case 'begin sync':
        this.#syncing.set(change.thread, new Set(this.#find(change.file).unsynced))
        break
      case 'sync':
        this.#sync(change)
        break
      case 'sync folder':
        for (const { name, file } of this.#unsyncedNames) rename(this.#syncedNames, name, file)
        this.#unsyncedNames = []
        break
      default:
        this.#find(change.file).unsynced.push(change)
    }
  }

  /** The files after a power cut now. A file system keeps the order of names, so that the first of them survive. */
  cutPower(random: SeededRandom): ReadonlyMap<string, Buffer> {
    const sector = SECTOR_BYTES[random.below(SECTOR_BYTES.length)] ?? 512
    const percent = SURVIVING[random.below(SURVIVING.length)] ?? 0
    const survives = () => random.below(100) < percent
    const names = new Map(this.#syncedNames)
    const survivors = this.#unsyncedNames.slice(0, random.below(this.#unsyncedNames.length + 1))
    for (const { name, file } of survivors) rename(names, name, file)
    const content = ({ synced, unsynced }: File) =>
      replay(synced, unsynced.flatMap((change) => split(change, sector)).filter(survives))
    return new Map([...names].map(([name, file]) => [name, content(file)]))
  }

  #create(name: string): void {
    const file: File = { synced: Buffer.alloc(0), unsynced: [] }
    this.#files.set(name, file)
    this.#unsyncedNames.push({ name, file })
  }

  #sync({ file: name, thread }: { readonly file: string; readonly thread: string }): void {
    const file = this.#find(name)
    const covered = this.#syncing.get(thread) ?? new Set(file.unsynced)
    this.#syncing.delete(thread)
    file.synced = replay(
      file.synced,
      file.unsynced.filter((change) => covered.has(change)),
    )
    file.unsynced = file.unsynced.filter((change) => !covered.has(change))
  }

  #find(name: string): File {
    const file = this.#files.get(name)
    if (file === undefined) throw new Error(`${name} was never created`)
    return file
  }
}

function rename(names: Map<string, File>, name: string, file: File | null): void {
  if (file === null) names.delete(name)
  else names.set(name, file)
}

/** A write becomes one write for each sector that it touches. */
function split(change: ContentChange, sector: number): readonly ContentChange[] {
  if (change.kind === 'truncate') return [change]
  const { file, at, bytes } = change
  const parts: ContentChange[] = []
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + sector - ((at + from) % sector))
    parts.push({ kind: 'write', file, at: at + from, bytes: bytes.subarray(from, to) })
    from = to
  }
  return parts
}

/** Returns a changed copy. Where nothing was written below the end of a file it holds zeros. */
function replay(content: Buffer, changes: readonly ContentChange[]): Buffer {
  if (changes.length === 0) return content
  let size = content.length
  const changed = Buffer.alloc(changes.reduce((most, change) => Math.max(most, endOf(change)), size))
  content.copy(changed)
  for (const change of changes) {
    if (change.kind === 'write') change.bytes.copy(changed, change.at)
    else if (change.size < size) changed.fill(0, change.size, size)
    size = change.kind === 'truncate' ? change.size : Math.max(size, endOf(change))
  }
  return changed.subarray(0, size)
}

function endOf(change: ContentChange): number {
  return change.kind === 'truncate' ? change.size : change.at + change.bytes.length
}
