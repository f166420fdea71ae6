import { LocalGit } from '#adapters/git/local-git.js';
import { RolesInMemory } from '../roles-in-memory.js';
import { StartersInMemory } from '../roles-stage.js';
import { room } from '../room.js';
import type { World } from './world.js';

/** Gives the world these role files, and a folder that is no repository. */
export function withRoles(own: World, texts: Iterable<readonly [file: string, text: string]> = []): RolesInMemory {
  const roles = new RolesInMemory([...texts].map(([file, text]) => [`.claude/roles/${file}`, text]));
  Object.assign(own.context, {
    projectFolder: room('roles'),
    roleFiles: async () => roles,
    roleStarters: async () => new StartersInMemory(),
    git: async () => new LocalGit(process.env),
  });
  return roles;
}

const SKEPTIC = `# skeptic

## Charter

Tries to refute what everybody else takes for true, and reports what survived the attempt.

## When to use

- a decision is hard to take back, or everybody agrees too quickly
- claims, figures or sources have to be verified before they are used

## Body

Find the strongest reason why this is wrong, not to sound doubtful.
Write down the claims one by one, in words that could be false.

Deliverable: a verdict for every claim with its evidence.

## Learnings (core)

- 2026-01-14 — A figure without its unit is no figure.

## Learnings (solo)

- 2026-02-02 — Read the test before the code that it tests.
`;

const QA = `# qa

## Charter

Finds defects and breaches of the contract before release.

## When to use

- something is about to be handed over

## Body

Judge each criterion, with evidence.

## Learnings (core)

## Learnings (solo)
`;

const CREW = `# Crew

### qa
- role: qa
- model: sonnet   effort: high
- status: stable
- owns: defects and breaches of the contract before release
- handoff: QA.md
- runs: clean 7, thin 0, cuts 1
- learnings:
  - 2026-02-11 — the gate command is \`npm run check\`
  - 2026-03-01 — a flaky test is a failing test until its cause is known

### csv-expert
- status: probationary
- owns: separators, quoting and encodings of tables
- runs: clean 1, thin 0, cuts 0
- learnings:
  - 2026-03-02 — a byte order mark belongs to the first field

### release-engineer
- status: retired
- owns: version numbers and what is published
- runs: clean 0, thin 0, cuts 3
- learnings:
`;

const PANEL = `# Panel

### skeptic
- role: skeptic
- lens: what would have to be true for this to fail
- status: stable
- runs: clean 4, thin 0, cuts 0
- learnings:
  - 2026-03-01 — Judge by the title and what is shown, never by the slug.
  - 2026-03-08 — a decision without a way back wants a trial first

### operator
- charter: runs it at night and is woken by it
- status: probationary
- runs: clean 2, thin 0, cuts 0
- learnings:
`;

const RESEARCH = `# Research

### verifier
- role: skeptic
- angle: claims against their sources
- verification: opens the source itself
- status: probationary
- runs: clean 0, thin 1, cuts 0
- learnings:
  - 2026-03-04 — Judge by the title and what is shown, not by the slug.
`;

/** A few roles in all lanes, with a lesson that two of them share. */
export const SOME_ROLES: readonly (readonly [file: string, text: string])[] = [
  ['skeptic.md', SKEPTIC],
  ['qa.md', QA],
  ['crew.md', CREW],
  ['panel.md', PANEL],
  ['research.md', RESEARCH],
];

/** As many roles as a very large organisation has, half of them with a core. */
export function manyRoles(count: number): readonly (readonly [file: string, text: string])[] {
  const rows = new Map(['crew', 'panel', 'research'].map((lane) => [lane, [`# ${lane}`]]));
  const cores = Array.from({ length: count }, (_, at) => {
    const name = `specialist-for-${at % 2 === 0 ? 'interfaces' : 'very-long-names-of-things'}-${at}`;
    const status = ['stable', 'probationary', 'retired'][at % 3];
    for (const lane of [...rows.keys()].slice(0, 1 + (at % 3)))
      rows
        .get(lane)
        ?.push(
          `### ${name}\n${at % 2 === 0 ? `- role: ${name}\n` : ''}- status: ${status}\n- owns: part ${at} of the whole, and whatever nobody else looks after in it\n- runs: clean ${at % 4}, thin 0, cuts ${at % 2}\n- learnings:\n  - 2026-03-0${1 + (at % 9)} — part ${at} has ${at * 7} exceptions, each with a reason of its own\n`,
        );
    const core = `# ${name}\n\n## Charter\n\nLooks after part ${at} of the whole.\n\n## When to use\n\n- part ${at} is touched\n\n## Body\n\nDeliverable: part ${at}.\n\n## Learnings (core)\n\n## Learnings (solo)\n`;
    return at % 2 === 0 ? [[`${name}.md`, core] as const] : [];
  });
  return [...cores.flat(), ...[...rows].map(([lane, texts]) => [`${lane}.md`, `${texts.join('\n\n')}\n`] as const)];
}
