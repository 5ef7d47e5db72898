/** The keys of installations in tests: the first seals from the beginning. */
import { type KeySource, readKeys } from '../../src/stores/vault/key-ring.ts'

/** As it is given by the environment. */
export const TEST_KEY = '5e'.repeat(32)

export const TEST_KEYS: KeySource = { kind: 'given', name: 'the test', keys: `${TEST_KEY} ${'6f'.repeat(32)}` }

/** The name of the key that is there besides the one that seals. */
export const OTHER_TEST_KEY = readKeys(TEST_KEYS)[1]?.id ?? ''
