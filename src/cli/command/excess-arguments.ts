/** Explains arguments that a command does not take. */
import type { Command } from 'commander'
import { WrongUsage } from './failure.ts'

/** Throws WrongUsage that says where the first unexpected argument is; it may be a part of a secret. */
export function refuseExcess(_program: Command, command: Command): void {
  const expected = command.registeredArguments
  const excess = command.args[expected.length]
  if (excess === undefined || expected.at(-1)?.variadic === true) return
  const typed = wordsOf(command)
  const at = typed.lastIndexOf(excess)
  const [before, previous] = [typed[at - 2], typed[at - 1]].map((word) =>
    command.options.find(({ long }) => long === word),
  )
  if (previous?.isBoolean() === true) throw new WrongUsage(`${previous.long}: takes no value`)
  const where = before === undefined ? `the one at place ${at + 1}` : `the one after the value of ${before.long}`
  throw new WrongUsage(`too many arguments: ${where} is unexpected; quote a value that has spaces`)
}

/** The command line without the program's name. */
function wordsOf({ parent, rawArgs }: Command & { readonly rawArgs?: readonly string[] }): readonly string[] {
  return parent === null ? (rawArgs ?? []) : wordsOf(parent)
}
