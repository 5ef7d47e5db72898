/** Collects the answers that the ready settings of a provider ask for. Never echoes a secret. */
import type { Config } from '../../app/settings/config.ts'
import { ruleOfUnknown } from '../../operations/admin/carriers/fill-answers.ts'
import { WrongUsage } from '../command/failure.ts'
import { readObjectFile } from '../command/read-input.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

export interface AnswersSource {
  readonly provider?: string
  /** `name=value` each; they override the file. */
  readonly answer?: readonly string[]
  /** A file; `-` is standard input. */
  readonly answers?: string
}

interface Question {
  readonly name: string
  readonly title: string
  readonly help: string
  readonly secret: boolean
  readonly required: boolean
}

/** Asks for what is missing if a user is at the terminal. Throws WrongUsage that lists it otherwise. */
export async function readProviderAnswers(
  carrierId: string,
  source: AnswersSource,
  config: Config,
  terminal: Terminal,
): Promise<object> {
  const { provider = '', answers: file } = source
  const given: Record<string, unknown> = { ...(await readGivenAnswers(source, terminal)) }
  const input = { params: { provider }, query: { carrier: carrierId }, body: {} }
  const { questions } = (await askEndpoint('showProvider', input, config, terminal)) as {
    readonly questions: readonly Question[]
  }
  // Before the missing ones: a misspelled answer is why one is missing.
  const wrong = Object.keys(given).filter((each) => questions.every(({ name }) => name !== each))
  if (wrong.length > 0) {
    const asked = questions.map(({ name }) => name)
    throw new WrongUsage(wrong.map((each) => `answer ${each.slice(0, 40)}: ${ruleOfUnknown(each, asked)}`).join('; '))
  }
  const missing = questions.filter(({ name, required }) => required && !Object.hasOwn(given, name))
  // Standard input that holds the answers cannot be asked.
  const ask = file === '-' ? null : terminal.ask
  if (ask === null && missing.length > 0) throw new WrongUsage(writeMissing(missing))
  for (const { name, title, help, secret } of missing) given[name] = await ask?.(`${title} (${help}): `, secret)
  return given
}

/** Returns those on the command line and in the file. */
export async function readGivenAnswers({ answer = [], answers: file }: AnswersSource, terminal: Terminal) {
  const fromFile = file === undefined ? {} : await readObjectFile(file, terminal)
  return { ...fromFile, ...Object.fromEntries(answer.map(readPair)) }
}

function readPair(pair: string): readonly [string, string] {
  const cut = pair.indexOf('=')
  if (cut < 1) throw new WrongUsage('--answer: must be name=value')
  return [pair.slice(0, cut), pair.slice(cut + 1)]
}

function writeMissing(missing: readonly Question[]): string {
  const lines = missing.map(({ name, title, help }) => `\n  ${name}: ${title}. ${help}`)
  return `--answer or --answers: missing${lines.join('')}`
}
