/** A world for one test whose changes would disturb the other tests of its file. */
import { onTestFinished } from 'vitest'
import { SandboxWorld } from './sandbox-world.ts'

/** Starts one, and has the test `use` it instead of the `shared` one until the test has finished. */
export async function useOwnWorld(shared: SandboxWorld, use: (world: SandboxWorld) => void): Promise<void> {
  const own = await SandboxWorld.start()
  use(own)
  onTestFinished(async () => {
    use(shared)
    await own.stop()
  })
}
