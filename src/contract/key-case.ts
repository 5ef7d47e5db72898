/** Names of fields as the world writes them, `report_steps`, where the code has `reportSteps`. */

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
