/** `npm ci` refuses a lock file that lacks a package, also one of a platform that is not this one. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>
}

test('the lock file has every package that another one names', () => {
  const missing = Object.entries(packages).flatMap(([path, { dependencies = {}, optionalDependencies = {} }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isFound(path, name))
      .map((name) => `${path}: ${name}`),
  )
  expect(missing).toEqual([])
})

/** Looks in the folder of the package, then in those around it, as Node does. */
function isFound(path: string, name: string): boolean {
  if (`${path === '' ? '' : `${path}/`}node_modules/${name}` in packages) return true
  const end = path.lastIndexOf('node_modules/')
  return path !== '' && isFound(path.slice(0, Math.max(0, end - 1)), name)
}
