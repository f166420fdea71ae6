import type { FileChange } from '#kernel/file-change.js';
import type { SquadTexts } from './file-change.js';
import {
  AUDIT_TRAIL_MD,
  CONFIG_JSON,
  DECISIONS_MD,
  GIT_ATTRIBUTES,
  GIT_IGNORE,
  HISTORY_EVENTS,
  NOW_MD,
  REGISTRY_EVENTS,
  SAFETY_POLICY_MD,
  WISDOM_MD,
} from './squad-paths.js';
import { cellText } from './team-file.js';

/**
 * Returns the changes that create the files which are written once and then belong to the people and agents of the
 * project.
 */
export function initialFiles(texts: SquadTexts, policyText: string): FileChange[] {
  const first: readonly (readonly [string, string])[] = [
    [CONFIG_JSON, `${JSON.stringify({ version: 1, outputs: [] }, null, 2)}\n`],
    [NOW_MD, '# Now\n\nWhat the team is working on at present. Nothing has been started yet.\n'],
    [
      WISDOM_MD,
      '# Wisdom\n\nWhat the team has learned and wants to remember. Add a line when something proves true twice.\n',
    ],
    [SAFETY_POLICY_MD, policyText.endsWith('\n') ? policyText : `${policyText}\n`],
    [
      AUDIT_TRAIL_MD,
      '# Audit trail\n\nOne line for every safety review: date, what was reviewed, the verdict, the reason.\n',
    ],
    [DECISIONS_MD, '# Decisions\n\nWhat the team has agreed on, newest last.\n'],
  ];
  return first.filter(([path]) => !texts.has(path)).map(([path, text]) => ({ kind: 'write', path, text }));
}

/** Renders the initial history file of a new member. */
export function renderAgentHistory(facts: {
  name: string;
  roleTitle: string;
  project: string;
  description: string;
  date: string;
}): string {
  return [
    `# History of ${facts.name}`,
    '',
    '## Project Context',
    '',
    `- **Project:** ${cellText(facts.project)}`,
    `- **Description:** ${cellText(facts.description)}`,
    '',
    '## Core Context',
    '',
    `${facts.name} joined as ${cellText(facts.roleTitle)} on ${facts.date}.`,
    '',
    '## Recent Updates',
    '',
    '## Learnings',
    '',
  ].join('\n');
}

/** Append-only files use git's union merge; runtime folders stay out of version control. */
const ATTRIBUTES = [
  '.squad/decisions.md',
  '.squad/agents/*/history.md',
  '.squad/log/**',
  '.squad/orchestration-log/**',
  '.squad/rai/audit-trail.md',
  REGISTRY_EVENTS,
  HISTORY_EVENTS,
].map((path) => `${path} merge=union`);
/** These files are hashed, so git must not convert their line endings. */
const NO_EOL_CONVERSION = ['.squad/** -text', '.claude/roles/** -text'];
const IGNORED = ['orchestration-log/', 'log/', 'decisions/inbox/', 'sessions/', '.scratch/', '.cache/'].map(
  (path) => `.squad/${path}`,
);

/** Adds missing lines to `.gitattributes` and `.gitignore`; existing lines stay unchanged. */
export function gitFiles(texts: SquadTexts): FileChange[] {
  return [
    ...withLines(texts, GIT_ATTRIBUTES, [...NO_EOL_CONVERSION, ...ATTRIBUTES]),
    ...withLines(texts, GIT_IGNORE, IGNORED),
  ];
}

function withLines(texts: SquadTexts, path: string, lines: readonly string[]): FileChange[] {
  const before = texts.get(path) ?? '';
  const present = new Set(before.split('\n').map((line) => line.trim()));
  const missing = lines.filter((line) => !present.has(line));
  if (missing.length === 0) return [];
  const ended = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  return [{ kind: 'write', path, text: `${ended}${missing.join('\n')}\n` }];
}
