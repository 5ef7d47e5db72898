/** The image builds from the files that .dockerignore lets in, by the commands of deploy/Dockerfile. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const lines = (path: string) => readFileSync(join(ROOT, path), 'utf8').split('\n')

test('what enters the build is enough to make everything that the image copies', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-image-'))
  for (const line of lines('.dockerignore').filter((each) => each.startsWith('!'))) {
    cpSync(join(ROOT, line.slice(1)), join(folder, line.slice(1)), { recursive: true })
  }
  rmSync(join(folder, 'console/src/api/admin-api.ts'), { force: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  expect(lines('deploy/Dockerfile').filter((line) => line.startsWith('RUN npm run build && '))).toHaveLength(1)
  const built = spawnSync('npm', ['run', 'build'], { cwd: folder, encoding: 'utf8' })
  expect(built.status, built.stderr).toBe(0)

  const copied = lines('deploy/Dockerfile')
    .filter((line) => line.startsWith('COPY --from=build '))
    .flatMap((line) => line.match(/(?<=\/posthorn\/)\S+/g) ?? [])
  expect(copied).toContain('dist')
  expect(copied.filter((name) => !existsSync(join(folder, name)))).toEqual([])
  expect(existsSync(join(folder, 'dist/console/index.html'))).toBe(true)
  rmSync(folder, { recursive: true })
})
