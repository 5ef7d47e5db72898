/** Why a file could not be read as a sheet. */
export type SheetFault = 'format' | 'empty' | 'locked' | 'broken' | 'size' | 'rows' | 'cells' | 'blank' | 'sheet'

export class SheetError extends Error {
  override readonly name = 'SheetError'
  /** For programs that write their own words. */
  readonly fault: SheetFault

  constructor(fault: SheetFault, message: string) {
    super(message)
    this.fault = fault
  }
}
