/** The thread that posts to hooks: receives batches of calls and sends the answers of each turn of the event loop. */
import { parentPort, workerData } from 'node:worker_threads'
import { addAnswer, type FlatAnswers, type FlatCalls, readCalls } from '../../http/hooks/flat-calls.ts'
import type { HookWorkerSetup } from '../../http/hooks/hook-thread.ts'
import { createHookPost } from '../../http/hooks/post-hook.ts'
import { HostNames } from '../../wire/host-names.ts'
import { systemClock } from '../system/system-clock.ts'

const { allow } = workerData as HookWorkerSetup
const names = new HostNames()
const hookPost = createHookPost({ clock: systemClock, allow, resolve: (name) => names.resolve(name) })
let answers: FlatAnswers = []

function send(): void {
  parentPort?.postMessage(answers)
  answers = []
}

parentPort?.on('message', (calls: FlatCalls) => {
  readCalls(calls, (number, call) => {
    hookPost.send(call, (answer) => {
      if (answers.length === 0) setImmediate(send)
      addAnswer(answers, number, answer)
    })
  })
})
