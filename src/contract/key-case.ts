/** Names of fields as the world writes them, `report_steps`, and as the code does, `reportSteps`. One level deep. */

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S

export type Snake<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : S

type CamelKeys<T> = { [K in keyof T as K extends string ? Camel<K> : K]: T[K] }

export function camelKeys<T extends object>(value: T): CamelKeys<T> {
  return mapKeys(value, (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())) as CamelKeys<T>
}

export function snakeKeys(value: object): Record<string, unknown> {
  return mapKeys(value, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}

function mapKeys(value: object, write: (key: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [write(key), each]))
}
