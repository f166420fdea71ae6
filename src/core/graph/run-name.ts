// Names of runs: `agent-7`. The numbers rise with the claims in the log and are never reused.

const RUN_NAME = /^agent-(\d{1,9})$/;

export function nameOfRun(number: number): string {
  return `agent-${number}`;
}

/** Number in the name of a run; 0 for any other name. */
export function runNumber(name: unknown): number {
  return typeof name === 'string' ? Number(RUN_NAME.exec(name)?.[1] ?? 0) : 0;
}

export function isRunName(name: unknown): boolean {
  return runNumber(name) > 0;
}
