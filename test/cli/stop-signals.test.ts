/** What asks a gateway to stop, and what ends it at once. */
import { EventEmitter } from 'node:events'
import { beforeEach, expect, test } from 'vitest'
import { isCommandOfNpm } from '../../src/app/settings/config.ts'
import { untilStopRequested } from '../../src/cli/command/stop-signals.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

class SignalledProcess extends EventEmitter {
  ppid = 7
  readonly exits: number[] = []
  exit(code: number): void {
    this.exits.push(code)
  }
}

let signalled: SignalledProcess
let clock: VirtualClock
beforeEach(() => {
  signalled = new SignalledProcess()
  clock = new VirtualClock()
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s asks for a stop', async (signal) => {
  const stopped = untilStopRequested(signalled, clock, false)
  signalled.emit(signal)
  await stopped
  expect(signalled.exits).toEqual([])
})

test('one Ctrl-C that also npm passes on is one request; a later one ends the process at once', async () => {
  const stopped = untilStopRequested(signalled, clock, false)
  signalled.emit('SIGINT')
  clock.advance(999)
  signalled.emit('SIGINT')
  await stopped
  expect(signalled.exits).toEqual([])
  clock.advance(1)
  signalled.emit('SIGTERM')
  expect(signalled.exits).toEqual([130])
})

test('a terminal that is closed never ends the process at once', async () => {
  const stopped = untilStopRequested(signalled, clock, false)
  signalled.emit('SIGHUP')
  clock.advance(10_000)
  signalled.emit('SIGHUP')
  await stopped
  expect(signalled.exits).toEqual([])
})

test('the end of the parent process asks for a stop, if the program ends with it', async () => {
  const [bound, free] = [true, false].map((ends) => {
    const seen = { isStopped: false }
    void untilStopRequested(signalled, clock, ends).then(() => {
      seen.isStopped = true
    })
    return seen
  })
  clock.advance(60_000)
  await Promise.resolve()
  expect([bound, free]).toEqual([{ isStopped: false }, { isStopped: false }])
  signalled.ppid = 1
  clock.advance(500)
  await Promise.resolve()
  expect([bound, free]).toEqual([{ isStopped: true }, { isStopped: false }])
})

test.each([
  ['npx posthorn sandbox', `'posthorn'`, true],
  ['a script of a project', 'POSTHORN_PORT=0 posthorn serve', true],
  ['a script that leaves the gateway running', 'posthorn serve & sleep 3', false],
  ['a script of several commands', 'posthorn init && posthorn serve', false],
  ['a script that starts another program', './start.sh', false],
  ['no npm', undefined, false],
])('with %s, the program ends with its parent or not', (_name, script, ends) => {
  expect(isCommandOfNpm({ npm_lifecycle_script: script })).toBe(ends)
})
