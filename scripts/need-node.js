// Stops a script of npm that runs TypeScript with a Node that cannot. Plain JavaScript, so that an old Node runs it.
const NODE_LEAST = 24
if (Number(process.versions.node.split('.')[0]) < NODE_LEAST) {
  process.stderr.write(
    `error: this checkout needs Node ${NODE_LEAST} or newer, and this is ${process.version}: npm ci without --ignore-scripts installs it\n`,
  )
  process.exit(1)
}
