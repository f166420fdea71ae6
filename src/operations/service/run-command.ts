/** A command and then the check of its task: each in a shell of its own, the second only when the first ended well. */
export function checked(command: string, check: string | undefined): string {
  return check === undefined ? command : `(\n${command}\n) || exit $?\n(\n${check}\n)`;
}

/** The inputs of a task, as its `environment` field has them. */
export function environmentOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
