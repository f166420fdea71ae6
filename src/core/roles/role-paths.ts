import { LANES, type Lane } from './lane.js';

/** Folder of the roles, from the root of the repository. */
export const ROLES_FOLDER = '.claude/roles';
/** The generated table of all core roles. */
export const REGISTRY_FILE = `${ROLES_FOLDER}/registry.md`;

export const laneFile = (lane: Lane): string => `${ROLES_FOLDER}/${lane}.md`;

export const coreFile = (name: string): string => `${ROLES_FOLDER}/${name}.md`;

const FORMATION_FOLDERS = {
  crew: '.claude/dev-crew',
  panel: '.claude/brainstorm-panel',
  research: '.claude/research-sweep',
} as const satisfies Record<Lane, string>;

/** Log of a lane: one entry a run, newest last. */
export const logFile = (lane: Lane): string => `${FORMATION_FOLDERS[lane]}/log.md`;

/** Names of files that are not core roles, and words of `troupe roles` that a role must not hide. */
export const RESERVED_ROLE_NAMES: ReadonlySet<string> = new Set([...LANES, 'registry', 'as', 'evolve']);
