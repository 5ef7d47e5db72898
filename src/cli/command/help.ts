/** `posthorn help`: shows the help of a command, or refuses one that does not exist. */
import { Command } from 'commander'
import { nearestName } from '../../domain/text/nearest-name.ts'
import { WrongUsage } from './failure.ts'

/** Makes the `help` command of a program or group. */
export function helpCommand(parent: Command): Command {
  return new Command('help')
    .argument('[command...]')
    .description('display help for command')
    .action((words: readonly string[]) => {
      findCommand(parent, words).help()
    })
}

function findCommand(parent: Command, [word, ...more]: readonly string[]): Command {
  if (word === undefined) return parent
  const found = parent.commands.find((each) => each.name() === word)
  if (found !== undefined) return findCommand(found, more)
  const nearest = nearestName(
    word,
    parent.commands.map((each) => each.name()),
  )
  throw new WrongUsage(
    `${word}: unknown command; ${nearest === null ? 'see posthorn help' : `did you mean ${nearest}?`}`,
  )
}
