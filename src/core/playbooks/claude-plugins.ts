import type { Starter } from '#core/roles/starters.js';
import { PLUGINS, type PluginName } from './plugin-names.js';
import {
  AS_SKILL,
  CREW_AGENTS,
  CREW_SKILL,
  EVOLVE_SKILL,
  PANEL_SKILL,
  type Skill,
  SWEEP_SKILL,
  starterSkill,
} from './plugin-skills.js';

/** Version of the plugins, equal to the program's: a client downloads them again when it increases. */
export const PLUGINS_VERSION = '0.1.0';

/** Charters of the shipped roles. */
export type Charters = readonly { readonly name: Starter; readonly charter: string }[];

interface Plugin {
  readonly description: string;
  readonly keywords: readonly string[];
  readonly skills: (charters: Charters) => readonly Skill[];
  /** Additional files, by path. */
  readonly others: ReadonlyMap<string, string>;
  readonly readme: string;
}

/**
 * Files of a Claude Code marketplace with these plugins, by path. Plugins are independent of each other, as all of them
 * only call `troupe`. Deterministic.
 */
export function claudePlugins(names: readonly PluginName[], charters: Charters): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const chosen = PLUGINS.filter((name) => names.includes(name));
  files.set('.claude-plugin/marketplace.json', json(marketplace(chosen)));
  for (const name of chosen) {
    const { description, keywords, skills, others, readme } = CONTENT[name];
    const manifest = { name, description, version: PLUGINS_VERSION, author: AUTHOR, license: 'MIT', keywords };
    files.set(`${name}/.claude-plugin/plugin.json`, json(manifest));
    files.set(`${name}/README.md`, `# ${name}\n\n${readme}`);
    for (const skill of skills(charters)) files.set(`${name}/skills/${skill.name}/SKILL.md`, skillText(skill));
    for (const [path, text] of others) files.set(`${name}/${path}`, text);
  }
  return files;
}

const AUTHOR = { name: 'Troupe' };

function marketplace(names: readonly PluginName[]) {
  const description = 'Roles that learn, and three ways to have them work: a crew, a panel, a sweep.';
  return {
    name: 'troupe',
    owner: AUTHOR,
    metadata: { description, version: PLUGINS_VERSION },
    plugins: names.map((name) => ({ name, source: `./${name}`, description: CONTENT[name].description })),
  };
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function skillText({ name, description, hint, body }: Skill): string {
  const argument = hint === '' ? '' : `argument-hint: ${JSON.stringify(hint)}\n`;
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${argument}---\n\n${body}`;
}

/** Timeouts: the client's for a hook, and a shorter one for the script; troupe's own is shorter still. */
const [HOOK_SECONDS, SCRIPT_SECONDS] = [10, 6];

function hooks(event: string, matcher: string | undefined, script: string): string {
  const command = `sh "\${CLAUDE_PLUGIN_ROOT}"/scripts/${script}`;
  const entry = {
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: 'command', command, timeout: HOOK_SECONDS }],
  };
  return json({ hooks: { [event]: [entry] } });
}

/**
 * Shell text that runs a command with a time limit and the client's payload as its input, and leaves its exit code in
 * `code`.
 */
const bounded = (command: string): string => `exec 3<&0
${command} <&3 3<&- &
asked=$!
(
  sleep ${SCRIPT_SECONDS} &
  nap=$!
  trap 'kill "$nap"; exit' TERM
  wait "$nap"
  kill -9 "$asked"
) >/dev/null 2>&1 </dev/null 3<&- &
watch=$!
code=0
wait "$asked" || code=$?
kill "$watch" 2>/dev/null
`;

const GATE_SCRIPT = `#!/bin/sh
# Asks troupe whether a phase of a crew may begin. Whatever goes wrong is a refusal: exit code 2.
if ! command -v troupe >/dev/null 2>&1; then
  echo 'dev-crew: troupe is not found, so no handoff can be checked. Install it, or take this plugin away.' >&2
  exit 2
fi
${bounded('troupe hook check-handoffs')}[ "$code" -eq 0 ] && exit 0
[ "$code" -eq 2 ] || echo "dev-crew: the handoffs could not be checked ($code)." >&2
exit 2
`;

const SESSION_SCRIPT = `#!/bin/sh
# Lets troupe look over the roles of this repository. Whatever goes wrong, the session begins.
command -v troupe >/dev/null 2>&1 || exit 0
${bounded('troupe hook session-start')}exit 0
`;

function agentText({ name, file, charter }: (typeof CREW_AGENTS)[number]): string {
  return `---
name: dc-${name}
description: ${JSON.stringify(`The ${name} of a crew. Only for a run of \`troupe crew GOAL\`. ${charter}`)}
---

You are the ${name} of a crew. ${charter}

Run \`troupe playbook status RUN\` for the run you were named: it says where its files lie. Read what the phases before you left there. Write ${file} into
that folder: it is your handoff, and what you reply is none. Keep to what your phase is for, and flag what belongs to another.

If you cannot do it, say so in ${file}: a line \`status: BLOCKED\`, then \`## Tried\`, \`## Why stuck\`, \`## Needs\` and \`## Suggested escalation\`, each with what
there is to say.
`;
}

const NEEDS = `It calls the command \`troupe\`, which must be on the PATH of the client, and works without the other plugins of this
marketplace. Roles and what they learn lie in \`.claude/roles/\` of your repository, never in the plugin.
`;

const CONTENT: Readonly<Record<PluginName, Plugin>> = {
  roles: {
    description: 'One role, one pass: an expert of this repository that learns from what it does.',
    keywords: ['roles', 'review', 'agents', 'troupe'],
    skills: (charters) => [AS_SKILL, EVOLVE_SKILL, ...charters.map(({ name, charter }) => starterSkill(name, charter))],
    others: new Map([
      ['hooks/hooks.json', hooks('SessionStart', undefined, 'session-start.sh')],
      ['scripts/session-start.sh', SESSION_SCRIPT],
    ]),
    readme: `\`/roles:as NAME TARGET\` has a role do one pass over a target; \`/roles:debugger TARGET\` and the like are the shipped ones by their names, and
\`/roles:evolve\` reports what the roles of the repository have learned. When a session begins, lessons that could be shared are named.

${NEEDS}`,
  },
  'dev-crew': {
    description: 'A relay that delivers: architect, dev, qa and deployer, with a gate before each phase.',
    keywords: ['crew', 'delivery', 'gates', 'agents', 'troupe'],
    skills: () => [CREW_SKILL],
    others: new Map([
      ['hooks/hooks.json', hooks('PreToolUse', 'Agent|Task', 'check-handoffs.sh')],
      ['scripts/check-handoffs.sh', GATE_SCRIPT],
      ...CREW_AGENTS.map((agent) => [`agents/dc-${agent.name}.md`, agentText(agent)] as const),
    ]),
    readme: `Say "run the crew on …", or \`/dev-crew:crew GOAL\`. A line-up is shown first, and nothing runs before you accept it. Each phase hands a file on;
a hook looks at it before the next agent begins, and refuses when it is missing, does not pass, or says that its role is stuck.

${NEEDS}`,
  },
  'brainstorm-panel': {
    description:
      'A panel that decides: several views on one question, a skeptic among them, and a decision with its minority view.',
    keywords: ['panel', 'decision', 'review', 'agents', 'troupe'],
    skills: () => [PANEL_SKILL],
    others: new Map(),
    readme: `Say "get a team on this", or \`/brainstorm-panel:panel QUESTION\`. The seats see nothing of one another in the first round; when all agree, the
skeptic argues for the opposite before anything is decided. What comes out is advice, with the view that lost.

${NEEDS}`,
  },
  'research-sweep': {
    description:
      'A sweep that discovers: slices without overlap, entries with sources, and a check by somebody who did not find them.',
    keywords: ['research', 'survey', 'sources', 'agents', 'troupe'],
    skills: () => [SWEEP_SKILL],
    others: new Map(),
    readme: `Say "everything about …", or \`/research-sweep:sweep QUESTION\`. Scouts look into slices that do not overlap, what they bring is merged and cited, and
a part of it is checked by somebody who has not found it. What is refuted is taken out, and gaps are named.

${NEEDS}`,
  },
};
