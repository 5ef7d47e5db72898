/**
 * Builds the documentation site to site/dist or another folder (`--out`), or serves it while you write (`--dev`).
 *
 *   npm run site
 *   npm run site -- --dev
 *   SITE_ADDRESS=https://docs.example.com/v0.2/ SITE_SOURCES=https://git.example.com/posthorn/blob/v0.2.0 npm run site
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build, createServer } from 'vitepress'
import { readSite } from './pages.ts'
import { ROOT, readSettings } from './settings.ts'
import { writePublicFiles } from './write-public-files.ts'

const SITE = join(ROOT, 'site')
const { values } = parseArgs({ options: { dev: { type: 'boolean' }, out: { type: 'string' } } })

await writePublicFiles(join(SITE, 'public'), readSite(ROOT), readSettings(process.env))
if (values.dev) {
  const server = await createServer(SITE)
  await server.listen()
  server.printUrls()
} else {
  await build(SITE, { outDir: resolve(values.out ?? join(SITE, 'dist')) })
}
