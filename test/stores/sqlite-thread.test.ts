/** The embedded store in a thread of its own, whose start takes longer than a test of the store. */
import { installFile } from '../conformance/sqlite-file.ts'
import { describeStore } from '../conformance/store.ts'

describeStore('sqlite in a thread of its own', installFile, ['accepting', 'turns'])
