/**
 * Adds a build to a folder with the builds of all versions: `v0.2/` beside `v0.1/`, `versions.json` with all of them,
 * and an `index.html` that leads to the newest. What is there already stays.
 *
 *   node site/add-version.ts site/dist ../pages 0.2.0
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf } from './settings.ts'

export function addVersion(build: string, folder: string, version: string): void {
  const name = folderOf(version)
  mkdirSync(folder, { recursive: true })
  rmSync(join(folder, name), { recursive: true, force: true })
  cpSync(build, join(folder, name), { recursive: true })

  const list = join(folder, 'versions.json')
  const before: readonly string[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  const versions = [...new Set([name.slice(1), ...before])].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  writeFileSync(list, `${JSON.stringify(versions)}\n`)
  writeFileSync(join(folder, 'index.html'), redirectTo(`v${versions[0]}/`))
  // Hosts show only the one at the root.
  cpSync(join(folder, `v${versions[0]}`, '404.html'), join(folder, '404.html'))
  // GitHub Pages would leave out files whose names begin with an underscore.
  writeFileSync(join(folder, '.nojekyll'), '')
}

function redirectTo(path: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="refresh" content="0; url=${path}" />
    <title>Posthorn</title>
  </head>
  <body><a href="${path}">Posthorn documentation</a></body>
</html>
`
}

if (import.meta.main) {
  const [build, folder, version] = process.argv.slice(2)
  if (build === undefined || folder === undefined || version === undefined) {
    console.error('usage: node site/add-version.ts BUILD FOLDER VERSION')
    process.exitCode = 1
  } else {
    addVersion(build, folder, version)
  }
}
