/**
 * Reads the groups of a kannel.conf more leniently than Kannel: public files hold blank lines inside groups, comments
 * behind values, single quotes and groups without a blank line between them.
 */
import type { Group, KannelSetting, Note, SourceLine } from './kannel-file.ts'

const MAX_GROUPS = 1_000

export interface ReadGroups {
  readonly groups: readonly Group[]
  readonly notes: readonly Note[]
}

interface OpenGroup {
  name: string | null
  readonly file: string
  readonly line: number
  readonly settings: Map<string, KannelSetting>
}

/** Throws Error if there are too many groups. */
export function readGroups(lines: readonly SourceLine[]): ReadGroups {
  const groups: OpenGroup[] = []
  const notes: Note[] = []
  for (const block of blocksOf(lines, notes)) {
    const before = groups.at(-1)
    let group = before
    // A block without a group of its own continues the one before, which has a blank line in it.
    if (group === undefined || block.some(({ key }) => key === 'group')) {
      group = begin(groups, block[0])
    } else if (block.some(({ key }) => before?.settings.has(key))) {
      group = begin(groups, block[0])
      group.name = before?.name ?? null
      const { file, line } = group
      notes.push({ file, line, subject: `group ${group.name ?? ''}`, why: 'begins here without its first line' })
    }
    for (const { key, value, file, line } of block) {
      if (key !== 'group') {
        if (group.settings.has(key))
          notes.push({ file, line, subject: key, why: 'is there twice: the last one counts' })
        group.settings.set(key, { file, line, value })
        continue
      }
      if (group.name !== null) group = begin(groups, { file, line })
      group.name = value.toLowerCase()
    }
  }
  return {
    groups: groups.flatMap(({ name, ...group }) => (name === null ? [] : [{ name, ...group }])),
    notes: [...notes, ...groups.filter(({ name }) => name === null).map(nameless)],
  }
}

function begin(groups: OpenGroup[], place: Pick<SourceLine, 'file' | 'line'> | undefined): OpenGroup {
  if (groups.length >= MAX_GROUPS) throw new Error(`more than ${MAX_GROUPS} groups`)
  const group = { name: null, file: place?.file ?? '', line: place?.line ?? 0, settings: new Map() }
  groups.push(group)
  return group
}

function nameless({ file, line }: OpenGroup): Note {
  return { file, line, subject: 'settings', why: 'stand before the first group' }
}

interface Pair {
  readonly key: string
  readonly value: string
}

type PairLine = Pair & Omit<SourceLine, 'text'>

function blocksOf(lines: readonly SourceLine[], notes: Note[]): readonly (readonly PairLine[])[] {
  const blocks: PairLine[][] = [[]]
  for (const { text, file, line } of lines) {
    const pair = readPair(text)
    if (pair !== null) blocks.at(-1)?.push({ ...pair, file, line })
    else if (text.trim() === '') blocks.push([])
    else if (!text.trimStart().startsWith('#')) notes.push({ file, line, subject: 'line', why: 'is no setting' })
  }
  return blocks.filter((block) => block.length > 0)
}

/** Returns null for a line that is no setting: a comment, a blank line, or something else. */
export function readPair(text: string): Pair | null {
  const [, key, value] = /^\s*([^\s=#][^\s=]*)\s*=(.*)$/s.exec(text) ?? []
  return key === undefined || value === undefined ? null : { key: key.toLowerCase(), value: readValue(value.trim()) }
}

/** Without quotes and the comment behind it, which begins with a blank and `#`: passwords may hold a `#`. */
function readValue(text: string): string {
  const [, double] = /^"((?:\\.|[^"\\])*)"(?:\s*#.*)?$/s.exec(text) ?? []
  if (double !== undefined) return double.replaceAll(/\\(["\\])/g, '$1')
  const [, single] = /^'([^']*)'(?:\s*#.*)?$/s.exec(text) ?? []
  return single ?? text.replace(/(^|\s+)#.*$/s, '').trim()
}
