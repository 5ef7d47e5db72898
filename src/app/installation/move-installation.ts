/** Opens both ends of a move: a data folder and a database on a server, in either direction. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Random } from '../../ports/system/random.ts'
import { type Moved, type MoveProgress, move } from '../../stores/move/move.ts'
import type { MoveEnd } from '../../stores/move/move-end.ts'
import { undoMove } from '../../stores/move/undo-move.ts'
import { PostgresEnd } from '../../stores/postgres/move-end.ts'
import { SqliteEnd } from '../../stores/sqlite/move-end.ts'
import { openVault } from '../../stores/vault/open-vault.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import { readDatabase } from '../settings/setting-readers.ts'
import { systemClock } from '../system/system-clock.ts'
import { databaseFile, keySourceOf } from './installation.ts'
import { InstallationError } from './installation-error.ts'

/** Data folders, or database addresses, which may contain passwords: never print them. */
interface MovePlaces {
  readonly from: string
  readonly to: string
}

export interface MoveOptions extends MovePlaces {
  readonly random: Random
  readonly onProgress: (progress: MoveProgress) => void
}

const ID_BYTES = 8

/** Rejects if the move fails, and can then be repeated. Uses the keys of the folder unless others are given. */
export async function moveInstallation(config: Config, options: MoveOptions): Promise<Moved> {
  const { from, to, random, onProgress } = options
  if (isDatabase(from) === isDatabase(to)) {
    throw new InstallationError(
      'one of --from and --to is a data folder, the other one an address like postgres://user@host/name',
    )
  }
  const keys = keySourceOf({ ...config, dataDir: isDatabase(from) ? to : from })
  if (!isDatabase(from) && !existsSync(databaseFile({ dataDir: from }))) {
    throw new InstallationError(`there is no installation in ${resolve(from)}`)
  }
  if (keys.kind === 'file' && !existsSync(keys.path)) {
    throw new InstallationError(
      `the key file ${keys.path} is missing: copy that of the installation there, or name it with --secret-key-file`,
    )
  }
  const vault = openVault(keys)
  await using opened = new AsyncDisposableStack()
  const [source, target] = [from, to].map((place) => opened.adopt(endOf(place), (end) => end.close())) as [
    MoveEnd,
    MoveEnd,
  ]
  const newId = () => Buffer.from(random.bytes(ID_BYTES)).toString('hex')
  return await move({ source, target, vault, newId, onProgress })
}

export interface UndoOptions {
  readonly from: string
  /** The target of the move. If absent, a folder is found by the name that the source keeps. */
  readonly to?: string | undefined
  readonly isConfirmed: boolean
}

/** Unlocks an installation that was moved away, and locks the copy. Returns the name of the copy. */
export async function undoMoveOf({ from, to, isConfirmed }: UndoOptions): Promise<string> {
  await using opened = new AsyncDisposableStack()
  const open = (place: string) => opened.adopt(endOf(place), (end) => end.close())
  const targetOf = (name: string) => {
    if (to !== undefined) return open(to)
    return existsSync(databaseFile({ dataDir: name })) ? open(name) : null
  }
  return await undoMove({ source: open(from), targetOf, isConfirmed })
}

function endOf(place: string): MoveEnd {
  return isDatabase(place)
    ? new PostgresEnd(place, systemClock)
    : new SqliteEnd(databaseFile({ dataDir: resolve(place) }))
}

/** Throws ConfigError for an invalid database address. */
function isDatabase(place: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(place)) return false
  try {
    readDatabase(place)
    return true
  } catch (error) {
    throw new ConfigError(`--from and --to: an address ${(error as Error).message}`)
  }
}
