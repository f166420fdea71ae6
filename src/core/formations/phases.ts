/** A step of a crew's relay, and the file it hands on. */
export interface Phase {
  readonly name: string;
  readonly file: string;
}

/** The line that a crew has where nobody asked for another. */
export const CREW_LINE: readonly Phase[] = [
  { name: 'architect', file: 'CONTRACT.md' },
  { name: 'dev', file: 'CHANGES.md' },
  { name: 'qa', file: 'QA.md' },
  { name: 'deployer', file: 'DEPLOY.md' },
];

/** What comes after the last phase of a line: the release needs what all of them handed on. */
export const RELEASE = 'release';

/** All files of a run that phases read or hand on. */
export const PLAN_FILE = 'PLAN.md';
