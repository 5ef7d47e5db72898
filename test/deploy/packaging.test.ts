/** Workflows and the files of the Debian package name what there is. That package itself is checked by check-deb.sh. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { FILE_VARIABLES, SETTINGS } from '../../src/app/settings/config.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Job {
  readonly 'timeout-minutes'?: number
  readonly uses?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps?: readonly { readonly name?: string; readonly uses?: string; readonly run?: string }[]
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

/** Commands that run programs of packages, which others wrote. */
const RUNS_PACKAGES =
  /\bnpm (ci|install|run|pack)\b|\bnpx\b|\bpipx?\b|\bdocker (buildx )?build\b|build-deb\.sh|\.ci\/run/

describe.each(readdirSync(join(ROOT, '.github/workflows')))('.github/workflows/%s', (name) => {
  const text = read(`.github/workflows/${name}`)
  const workflow: Workflow = parse(text)

  test('uses actions of others by commit, with the version beside it', () => {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action ?? '')
    expect(used.filter((action) => !/^\.\/|^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([])
  })

  test('may only read, unless a job asks for more, and has a time limit for every job', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const endless = Object.entries(workflow.jobs).filter(([, job]) => !job.uses && job['timeout-minutes'] === undefined)
    expect(endless).toEqual([])
  })

  test('gives no job that runs packages of others a permission to write', () => {
    const writing = Object.entries(workflow.jobs).filter(([, { permissions = {}, steps = [] }]) => {
      const writes = Object.values(permissions).includes('write')
      return writes && steps.some(({ run = '' }) => RUNS_PACKAGES.test(run))
    })
    expect(writing.map(([job]) => job)).toEqual([])
  })

  test('runs files that there are', () => {
    const files = [...text.matchAll(/(?:^|\s)((?:deploy|scripts|\.ci)\/[\w./-]+)/gm)].map(([, path]) => path ?? '')
    expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})

describe('a release', () => {
  const { jobs }: Workflow = parse(read('.github/workflows/release.yml'))
  const build = jobs['build']?.steps ?? []
  const publish = jobs['publish']?.steps ?? []

  test('packs npm packages that name the repository, without which npm refuses their provenance', () => {
    const pack = build.find(({ name }) => name === 'Pack')?.run ?? ''
    expect(pack.match(/npm pkg set repository\.type=git "repository\.url=/g)).toHaveLength(2)
    expect(pack.lastIndexOf('npm pkg set')).toBeLessThan(pack.indexOf('npm pack'))
    expect(pack).toContain('npm publish --dry-run')
  })

  test('packs alert rules that name the runbook by an absolute address', () => {
    const pack = build.find(({ name }) => name === 'Pack')?.run ?? ''
    const sed = /^runbooks=.+\nsed -i .+$/m.exec(pack)?.[0].replace('sed -i', 'sed') ?? 'false'
    const env = {
      ...process.env,
      GITHUB_SERVER_URL: 'https://git.example',
      GITHUB_REPOSITORY: 'a/b',
      GITHUB_REF_NAME: 'v1',
    }
    const { stdout } = spawnSync('bash', ['-c', sed], { cwd: ROOT, env, encoding: 'utf8' })
    const addresses = [...stdout.matchAll(/runbook_url: (\S+)#/g)].map(([, address]) => address)
    expect([...new Set(addresses)]).toEqual(['https://git.example/a/b/blob/v1/docs/operations/alerts.md'])
    expect(pack.indexOf('runbooks=')).toBeLessThan(pack.indexOf('npm pack'))
  })

  test('publishes what cannot be undone after all that can, and names it latest in the end', () => {
    const text = publish.map(({ name = '', run = '', uses = '' }) => `${name} ${uses} ${run}`)
    const at = (words: string) => text.findIndex((each) => each.includes(words))
    const order = ['skopeo copy', 'helm push', 'gh release create', 'npm publish', 'gh-action-pypi-publish', ':latest']
    const places = order.map(at)
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((one, other) => one - other))
    expect(text[at('gh release create')]).toContain('--draft ')
  })
})

describe('deploy/debian', () => {
  const scripts = ['build-deb.sh', 'check-deb.sh', 'postinst', 'prerm', 'postrm', 'posthorn', 'posthorn-here']

  test.each(scripts)('%s is a script that its shell can read', (name) => {
    const path = join('deploy/debian', name)
    const shell = /^#!(?:\/usr\/bin\/env )?(\S+)/.exec(read(path))?.[1] ?? ''
    const { status, stderr } = spawnSync(shell, ['-n', path], { cwd: ROOT, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('names only existing settings, and sets none of them', () => {
    const known = [...SETTINGS.map(({ env }) => env), ...FILE_VARIABLES]
    const lines = read('deploy/debian/posthorn.env').split('\n')
    const named = lines.flatMap((line) => /^#(POSTHORN_\w+)=/.exec(line)?.[1] ?? [])
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !known.includes(name))).toEqual([])
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
  })

  test('installs every unit of deploy', () => {
    const units = readdirSync(join(ROOT, 'deploy')).filter((name) => /\.(service|timer)$/.test(name))
    expect(units.length).toBeGreaterThan(0)
    expect(units.filter((unit) => !read('deploy/debian/build-deb.sh').includes(unit))).toEqual([])
  })
})
