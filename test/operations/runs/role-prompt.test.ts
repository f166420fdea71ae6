import { expect, test } from 'vitest';
import { ticketOf } from '#adapters/runs/run-folder.js';
import { seatTags } from '#core/playbooks/formation.js';
import { rolePlaceOf, soloTags } from '#core/playbooks/role-place.js';
import { sha256 } from '#kernel/hash.js';
import { promptOf } from '#operations/runs/prompt-of.js';
import { taken } from '../../core/runs/facts.js';
import { world } from '../../e2e/world.js';
import { RolesInMemory } from '../../roles-in-memory.js';
import { verifies } from '../../verifies.js';
import { PLAIN_ATTEMPT } from './plain-attempt.js';

const RUN = '20260301-add-csv-export-1f0c';
const row = (lane: string) =>
  `### qa\n- role: qa\n- status: stable\n- owns: OWNS-${lane}\n- learnings:\n  - 2026-02-01 — ROW-${lane}\n`;
/** A word of its own in each place of each file. */
const FILES = new Map([
  [
    '.claude/roles/qa.md',
    '# qa\n\n## Charter\n\nCHARTER\n\n## Body\n\nBODY <<<data-x\n\n## Learnings (core)\n\n- 2026-01-01 — CORE\n\n## Learnings (solo)\n\n- SOLO\n',
  ],
  ['.claude/roles/other.md', '# other\n\n## Charter\n\nOTHER\n\n## Learnings (solo)\n\n- OTHER\n'],
  ...(['crew', 'panel', 'research'] as const).map((lane) => [`.claude/roles/${lane}.md`, row(lane)] as const),
  ['.claude/roles/registry.md', '| REGISTRY | x |\n'],
]);
const SENTINELS = [
  'CHARTER',
  'BODY',
  'CORE',
  'SOLO',
  'OTHER',
  'REGISTRY',
  ...['crew', 'panel', 'research'].flatMap((lane) => [`OWNS-${lane}`, `ROW-${lane}`]),
];

async function told(tags: readonly string[], read?: () => never) {
  const { context, store, add } = world();
  await add('a', { tags: [...tags] });
  const roles = new RolesInMemory(FILES);
  if (read) roles.read = read;
  const own = { ...context, freshId: () => 'fresh-id-of-this', roleFiles: async () => roles };
  const prompt = await promptOf(own, await store.view(), 'a', { ...PLAIN_ATTEMPT, scope: 'clean' });
  return { ...prompt, sentinels: SENTINELS.filter((word) => prompt.text.includes(word)) };
}

verifies(
  ['roles.prompt.parts', 'roles.rule.own-lane'],
  'the run of a seat is told its core role and its own row: no word of any other file',
  async () => {
    const lanes = { crew: 'crew', panel: 'panel', sweep: 'research' } as const;
    for (const kind of ['crew', 'panel', 'sweep'] as const) {
      const { sentinels } = await told(seatTags(kind, RUN, 'qa'));
      expect(sentinels).toEqual(['CHARTER', 'BODY', 'CORE', `OWNS-${lanes[kind]}`, `ROW-${lanes[kind]}`]);
    }
  },
);

verifies(
  ['roles.prompt.parts', 'roles.rule.solo-lane'],
  'a solo run is told its solo lessons, and nobody else is',
  async () => {
    const solo = await told(soloTags('qa'));
    expect(solo.sentinels).toEqual(['CHARTER', 'BODY', 'CORE', 'SOLO']);
    const seat = await told(seatTags('crew', RUN, 'qa'));
    expect([solo, seat].map(({ text }) => text.includes('You play it alone'))).toEqual([true, false]);
    for (const tags of [
      [],
      ['lane:crew', 'seat:qa'],
      ['role:qa'],
      ['lane:solo', 'role:crew'],
      ['lane:solo', 'role:../qa'],
    ])
      expect((await told(tags)).sentinels).toEqual([]);
    expect(rolePlaceOf([...seatTags('crew', RUN, 'qa'), ...soloTags('qa')])).toEqual({ lane: 'crew', seat: 'qa' });
  },
);

verifies(
  'roles.prompt.bound',
  'each part is a block of data; the parts stand in the record of the run, by hash',
  async () => {
    const { text, roleParts } = await told(seatTags('crew', RUN, 'qa'));
    const nonce = /^<<<data-(\S+) /m.exec(text)?.[1];
    const blocks = taken(text, nonce).blocks.filter(({ label }) => /^(identity: role|lessons:) /.test(label));
    expect(blocks.map(({ label }) => label)).toEqual([
      ...['identity: role charter', 'identity: role body', 'identity: role row', 'lessons: core', 'lessons: own'],
    ]);
    expect(blocks.find(({ label }) => label === 'lessons: core')?.text).toBe('- 2026-01-01 — CORE');
    expect(roleParts.map(({ part, sha256: hash }) => [part, hash])).toContainEqual(['charter', sha256('CHARTER')]);
    const plan = {
      id: 'r',
      taskId: 'a',
      fence: 1,
      command: '',
      check: '',
      sandboxed: true,
      environment: {},
      timeoutMs: 1,
      startedAt: 1,
    };
    const client = {
      request: { taskId: 'a', runId: 'agent-1', mode: 'full', prompt: '', agents: {} },
      silentEnd: 'done',
      mail: 'none',
      roleParts,
    } as const;
    expect(ticketOf({ ...plan, client }).role_parts).toEqual(roleParts);
    expect(ticketOf(plan).role_parts).toBeUndefined();
  },
);

test('role files that cannot be read leave a warning, and the run goes on', async () => {
  const { warnings, roleParts } = await told(seatTags('crew', RUN, 'qa'), () => {
    throw new Error('gone');
  });
  expect(roleParts).toEqual([]);
  expect(warnings.some((warning) => warning.startsWith('the role:'))).toBe(true);
});
