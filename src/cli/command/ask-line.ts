/** Asks the user of a terminal one line. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CannotDo } from './failure.ts'

interface Streams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** Rejects with CannotDo if the user ends the input (Ctrl-C, Ctrl-D) instead. */
export function askLine({ input, output }: Streams, question: string, isHidden: boolean): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: isHidden ? silent : output, terminal: true })
  // Only now does the terminal itself no longer echo.
  if (isHidden) output.write(question)
  return new Promise((resolve, reject) => {
    lines.on('close', () => {
      if (isHidden) output.write('\n')
      reject(new CannotDo('cancelled: nothing was changed'))
    })
    lines.question(isHidden ? '' : question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })
}
