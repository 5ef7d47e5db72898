/** The store of a cluster passes what every store must. */
import { describePostgres } from '../conformance/postgres.ts'

await describePostgres()
