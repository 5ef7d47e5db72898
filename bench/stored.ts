/**
 * Accepting and delivering with many messages stored, beside an empty store: bench/growth.ts in a process of its own.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Figure } from './figure.ts'
import type { Stage } from './stage.ts'

const GROWTH = fileURLToPath(new URL('./growth.ts', import.meta.url))

export async function stored({ scale }: Stage): Promise<readonly Figure[]> {
  const args = [GROWTH, ...[scale.stored, scale.rounds, scale.messages].map(String)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return ['accept', 'deliver'].map((work) => {
    const [, detail = '', times = ''] = new RegExp(`^${work}: (.*): ([\\d.]+) times$`, 'm').exec(stdout) ?? []
    return {
      ...{ benchmark: `${work} in the store with ${scale.stored} messages`, comparedWith: 'a young store' },
      ...{ rounds: [1 / Number(times)], must: 0.9, aim: 1, detail },
    }
  })
}
