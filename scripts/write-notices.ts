/**
 * Prints the name, version and license of every package in a folder of installed packages, with the texts of its
 * licenses and notices, as those licenses want it beside a program that contains them.
 *
 *   node scripts/write-notices.ts node_modules
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const TEXTS = /licen[cs]e|notice|copying/i

function noticesOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim())
  return [`${name} ${version}: ${license}`, ...texts].join('\n\n')
}

const [root = 'node_modules'] = process.argv.slice(2)
const folders = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /(^|node_modules\/)(@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
  .map((path) => join(root, dirname(path)))
console.log(
  folders
    .sort()
    .map(noticesOf)
    .join(`\n\n${'-'.repeat(80)}\n\n`),
)
