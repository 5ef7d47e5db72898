/** The types of rows, from the declared tables. */
import type { ColumnName, ColumnTexts, TableName } from '../../tables/all-tables.ts'

/**
 * The cells of a list of columns, in its order, as they are declared. `Known` has the types of cells that are only some
 * texts or numbers, or never NULL where they are read.
 */
export type CellsOf<
  Name extends TableName,
  Columns extends string,
  Known = unknown,
> = Columns extends `${infer First}, ${infer Rest}`
  ? [CellOf<Name, First, Known>, ...CellsOf<Name, Rest, Known>]
  : [CellOf<Name, Columns, Known>]

type CellOf<Name extends TableName, Column extends string, Known> = Column extends keyof Known
  ? Known[Column]
  : Column extends ColumnName<Name>
    ? Declared<ColumnTexts<Name>[Column]>
    : { readonly unknown: Column }

/** `text null sealed text`: a text or null. A sealed text is opened. */
type Declared<Text> = Text extends `${infer Type} ${infer Words}`
  ? Words extends `null${string}`
    ? Plain<Type> | null
    : Plain<Type>
  : Plain<Text>

type Plain<Type> = Type extends 'text' | 'name' | 'bytes' ? string : number
