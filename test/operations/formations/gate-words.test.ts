import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LocalHandoffFolders } from '#adapters/roles/handoff-folders.js';
import { gateRecordText } from '#core/playbooks/gate-record.js';
import { checkHandoffs } from '#operations/formations/check-handoffs.js';
import { judgeCall } from '#operations/formations/gate-call.js';
import { contextOf } from '../../context-of.js';
import { CONTRACT } from '../../core/playbooks/run-files.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const FOLDER = '.claude/dev-crew/runs';
const RUNS = [1, 2, 3, 4].map((at) => `2026112${at}-add-csv-000${at}`);
const RUN = RUNS[0] ?? '';

function setUp() {
  const top = room();
  const put = (name: string, text: string, run = RUN) => {
    const file = path.join(top, FOLDER, run, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const context = contextOf({ projectFolder: top, handoffFolders: async () => new LocalHandoffFolders() });
  const hook = (name: string, run?: string) => {
    const payload = JSON.stringify({ tool_name: 'Agent', tool_input: { subagent_type: name, prompt: 'Go on.' } });
    return judgeCall(new LocalHandoffFolders(), { payload, places: [top], run });
  };
  const check = (phase: string, before?: boolean) =>
    checkHandoffs.run(context, { run: RUN, phase, ...(before === undefined ? {} : { before }) });
  return { top, put, hook, check };
}

verifies('gate.run', 'of several runs the last three are named, and more are hinted at', async () => {
  const { put, hook } = setUp();
  const sentence = (count: number, named: string) =>
    `run_ambiguous: ${count} runs are active (${named}), and it is not clear which one this is for. Set TROUPE_RUN to one of them, or end the others with \`troupe playbook stop RUN\`.`;
  const denied = async (run: string | undefined) => {
    put('PLAN.md', 'plan', run);
    return (await hook('dc-dev')).deny;
  };
  expect(await denied(RUNS[0])).toMatch(/^handoff_missing: /);
  expect(await denied(RUNS[1])).toBe(sentence(2, RUNS.slice(0, 2).join(', ')));
  expect(await denied(RUNS[2])).toBe(sentence(3, RUNS.slice(0, 3).join(', ')));
  expect(await denied(RUNS[3])).toBe(sentence(4, `${RUNS.slice(1).join(', ')}, …`));
});

verifies(
  'gate.hook',
  'a denial says the file, what is missing and what to do, in the hook and in the check',
  async () => {
    const { top, put, hook, check } = setUp();
    put('PLAN.md', 'plan');
    const missing = (phase: string, file: string, by: string) => ({
      ...{ ok: false, run: RUN, phase },
      denial: {
        ...{ code: 'handoff_missing', file: `${FOLDER}/${RUN}/${file}` },
        ...{ missing: `there is no ${file}`, remedy: `Have ${by} write it to the run folder first.` },
      },
    });
    const passed = (phase: string) => ({ ok: true, run: RUN, phase });
    expect(await check('dev', true)).toEqual(missing('dev', 'CONTRACT.md', 'architect'));
    expect(await hook('dc-dev')).toEqual({
      deny: `handoff_missing: there is no CONTRACT.md (${FOLDER}/${RUN}/CONTRACT.md). Have architect write it to the run folder first.`,
    });
    expect(await check('architect', true)).toEqual(passed('architect'));
    expect(await check('architect')).toEqual(missing('architect', 'CONTRACT.md', 'architect'));
    put('CONTRACT.md', CONTRACT);
    expect(await check('dev', true)).toEqual(passed('dev'));
    expect(await check('dev')).toEqual(missing('dev', 'CHANGES.md', 'dev'));
    expect(await check('release', true)).toEqual(missing('release', 'DEPLOY.md', 'deployer'));
    const kept = {
      state: 'proposed' as const,
      seats: [{ name: 'dev', phase: 'dev' }],
      handoffs: {},
      judged: {},
      stumbles: {},
    };
    mkdirSync(path.join(top, '.workgraph/formations'), { recursive: true });
    writeFileSync(path.join(top, '.workgraph/formations', `${RUN}.json`), gateRecordText(kept, ['haiku', 'opus']));
    expect(await hook('dc-dev', RUN)).toEqual({
      deny: `formation_gate: nobody has accepted the line-up of ${RUN}. Accept it: \`troupe playbook accept ${RUN}\`.`,
    });
  },
);

test('what is no phase is refused with those that are', async () => {
  const { check } = setUp();
  const hint = 'Phases are architect, dev, qa, deployer, and the names of other seats.';
  for (const [phase, before] of [
    ['no phase', undefined],
    ['No', true],
    ['', undefined],
  ] as const)
    await expect(check(phase, before), phase).rejects.toMatchObject({
      ...{ code: 'handoff_unreadable', message: `${JSON.stringify(phase)} is not a phase.`, hint },
    });
  await expect(check('x y'.repeat(50))).rejects.toMatchObject({
    message: `${JSON.stringify('x y'.repeat(50).slice(0, 64))} is not a phase.`,
  });
});
