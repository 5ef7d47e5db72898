/** Writes a line of the log as a terminal shows it: time, level, text, fields; the stack of an error below it. */
import { escapeHidden } from '../../domain/text/hidden-characters.ts'

const LEVELS: Readonly<Record<string, string>> = { 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR' }

/** Of a value that needs no quotes. */
const PLAIN = /^[^\s"=\\]+$/

/** `line` is one JSON line of the log. What values contain can neither begin a line nor colour the terminal. */
export function readableLine(line: string): string {
  const { time, level, msg, stack, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>
  const named = Object.entries(fields).map(([name, value]) => `${name}=${write(value)}`)
  const head = [time, (LEVELS[String(level)] ?? String(level)).padEnd(5), msg, ...named].join(' ')
  // Its first line is the error's text, which is a field.
  const frames = typeof stack === 'string' ? stack.split('\n').filter((each) => /^ +at /.test(each)) : []
  return `${[head, ...frames].map(escapeHidden).join('\n')}\n`
}

function write(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value)
}
