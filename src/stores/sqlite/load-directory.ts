/** The directory as rows, and the revision that says when to load it again. Secrets are still sealed here. */
import { DIRECTORY_TABLES } from '../rows/directory-tables.ts'
import type { SealedDirectory } from '../rows/seal-secrets.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

export function directoryRevision({ database }: Session): () => number {
  const revision = new Statement<[revision: number]>(database, 'SELECT revision FROM meta')
  return () => revision.first()?.[0] ?? 0
}

export function bumpRevision({ database }: Session): () => void {
  const bump = new Statement(database, 'UPDATE meta SET revision = revision + 1')
  return () => void bump.run()
}

export function loadDirectory(session: Session): () => SealedDirectory {
  const revision = directoryRevision(session)
  const tables = Object.entries(DIRECTORY_TABLES).map(([name, { columns, from, read }]) => {
    const select = new Statement(session.database, `SELECT ${columns} FROM ${from} ORDER BY 1, 2`)
    return [name, () => select.all().map(read)] as const
  })
  const operators = new Statement<[content: string]>(session.database, 'SELECT content FROM operators')
  return () => {
    const rows = tables.map(([name, load]) => [name, load()])
    const rest = { revision: revision(), operators: operators.first()?.[0] ?? '' }
    return { ...rest, ...Object.fromEntries(rows) } as SealedDirectory
  }
}
