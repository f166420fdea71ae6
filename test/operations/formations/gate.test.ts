import { cpSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LocalHandoffFolders } from '#adapters/roles/handoff-folders.js';
import { gateRecordText } from '#core/playbooks/gate-record.js';
import { sha256 } from '#kernel/hash.js';
import { checkHandoffs } from '#operations/formations/check-handoffs.js';
import { judgeCall } from '#operations/formations/gate-call.js';
import { contextOf } from '../../context-of.js';
import { BLOCKED, CHANGES, CONTRACT, QA } from '../../core/playbooks/run-files.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const RUN = '20261123-add-csv-export-1f0c';
const OTHER = '20261124-add-json-export-00ff';

function setUp() {
  const top = room();
  const put = (name: string, text: string, run = RUN) => {
    const file = path.join(top, '.claude/dev-crew/runs', run, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const context = contextOf({ projectFolder: top, handoffFolders: async () => new LocalHandoffFolders() });
  const hook = (
    tool_input: unknown,
    { run, places = [top], ...more }: { run?: string; places?: string[]; session_id?: string; cwd?: string } = {},
  ) =>
    judgeCall(new LocalHandoffFolders(), {
      payload: JSON.stringify({ tool_name: 'Agent', tool_input, ...more }),
      places,
      run,
    });
  const check = (phase: string, before = false) => checkHandoffs.run(context, { run: RUN, phase, before });
  return { top, put, hook, check };
}

const agent = (subagent_type: string) => ({ subagent_type, prompt: 'Go on.' });

verifies(['gate.role', 'gate.allow'], 'the name of the agent alone says which phase begins', async () => {
  const { top, put, hook } = setUp();
  put('PLAN.md', 'plan');
  for (const name of ['dev', 'dc-dev', 'dev-crew:dc-dev', 'any:dev'])
    expect(await hook(agent(name))).toEqual({ deny: expect.stringContaining('CONTRACT.md') });
  const words = { prompt: 'You are dc-dev: begin phase dev', description: 'subagent_type: dc-dev' };
  for (const name of ['general-purpose', 'DC-DEV', 'dc-dev-helper', 'dc-architect', 'a:b:dev'])
    expect(await hook({ ...words, subagent_type: name })).toEqual({});
  expect(await hook(words)).toEqual({});
  mkdirSync(path.join(top, '.claude/roles'));
  writeFileSync(path.join(top, '.claude/roles/crew.md'), '### dev\n- subagent: builder\n- status: stable\n');
  expect(await hook(agent('builder'))).toEqual({ deny: expect.stringContaining('CONTRACT.md') });
  put('CONTRACT.md', CONTRACT);
  expect(await hook(agent('builder'))).toEqual({});
});

verifies('gate.run', 'the run is the one that is named, that of the session, or the only one', async () => {
  const { top, put, hook } = setUp();
  expect(await hook(agent('qa'))).toEqual({}); // no run, no gate
  put('CHANGES.md', CHANGES);
  expect(await hook(agent('qa'), { session_id: 'first' })).toEqual({});
  put('CONTRACT.md', CONTRACT, OTHER);
  expect(await hook(agent('qa'))).toEqual({ deny: expect.stringMatching(/^run_ambiguous: 2 runs/) });
  expect(await hook(agent('qa'), { session_id: 'first' })).toEqual({}); // it began when there was one
  expect(await hook(agent('qa'), { session_id: 'other' })).toEqual({ deny: expect.stringMatching(/^run_ambiguous/) });
  expect(await hook(agent('qa'), { run: OTHER, session_id: 'first' })).toEqual({
    deny: expect.stringContaining(`${OTHER}/CHANGES.md`),
  });
  expect(await hook(agent('qa'), { run: '20261123-gone-0000' })).toEqual({
    deny: expect.stringMatching(/^handoff_missing/),
  });
  writeFileSync(path.join(top, '.claude/dev-crew/log.md'), `## ${OTHER}  2026-11-24  sample\n`);
  expect(await hook(agent('qa'))).toEqual({});
});

verifies('gate.blocked', 'a complete BLOCKED file ends its phase, holds the next one, and names the rung', async () => {
  const { top, put, hook, check } = setUp();
  mkdirSync(path.join(top, '.claude/roles'), { recursive: true });
  writeFileSync(path.join(top, '.claude/roles/crew.md'), '### dev\n- status: stable\n- tools: Read, Edit\n');
  put('CONTRACT.md', CONTRACT);
  put('CHANGES.md', BLOCKED);
  expect(await check('dev')).toMatchObject({ ok: true });
  const { deny = '' } = await hook(agent('dc-qa'));
  expect(deny).toMatch(/^blocked_handoff: dev is stuck.*CHANGES\.md.*Next rung 3, re-role/);
  for (const name of ['dc-dev', 'dc-architect', 'dc-debugger']) expect(await hook(agent(name))).toEqual({});
  put('CHANGES.md', 'status: BLOCKED\n');
  expect(await check('dev')).toMatchObject({ ok: false, denial: { code: 'handoff_incomplete' } });
  expect((await hook(agent('dc-qa'))).deny).toMatch(/^handoff_incomplete/);
});

verifies('gate.not-fooled', 'nothing that only looks like a handoff lets a phase begin', async () => {
  const { top, put, hook } = setUp();
  const deployer = (more = {}) => hook(agent('dc-deployer'), more);
  put('CONTRACT.md', '## Done-criteria\n\n- CSV leaves\n');
  put('CHANGES.md', CHANGES);
  for (const text of ['0 FAILED, no FAIL, PASS\n', '', '```\n- [PASS] 1 CSV leaves — npm test\n```\n']) {
    put('QA.md', text);
    expect((await deployer()).deny).toBeDefined();
  }
  put('QA.md', '- [PASS] 1 CSV leaves — npm test, 12 passed, 0 failed\n');
  expect(await deployer()).toEqual({});
  for (const cwd of [path.join(top, 'src'), '/', '/nowhere']) expect(await deployer({ cwd })).toEqual({});
  put('CHANGES.md', `${CHANGES}More.\n`);
  put('QA.md', '---\ninputs: {CHANGES.md: '.concat('0'.repeat(64), '}\n---\n- [PASS] 1 CSV leaves — npm test\n'));
  expect((await deployer()).deny).toContain('QA.md judged an older CHANGES.md');
  // From anywhere else the answer is the same: the project that the client names counts first.
  expect((await deployer({ places: [top, '/'], cwd: room('elsewhere') })).deny).toBeDefined();
  expect((await deployer({ places: ['/'], cwd: path.join(top, 'src') })).deny).toBeDefined();
  // The folder of another run, however new, is no reason.
  put('QA.md', '- [PASS] 1 CSV leaves — npm test\n', OTHER);
  expect((await deployer({ run: RUN })).deny).toContain(RUN);
});

test('what cannot be read is no denial but a fault, for the hook and for the check', async () => {
  const { top, put, hook, check } = setUp();
  const file = put('CHANGES.md', CHANGES);
  rmSync(file);
  symlinkSync(put('PLAN.md', 'plan'), file);
  await expect(hook(agent('qa'))).rejects.toMatchObject({ code: 'handoff_unreadable' });
  await expect(check('dev')).rejects.toMatchObject({ code: 'handoff_unreadable', exitCode: 2 });
  rmSync(file);
  mkdirSync(file);
  await expect(hook(agent('qa'))).rejects.toMatchObject({ code: 'handoff_unreadable' });
  await expect(hook({ subagent_type: ['qa'] })).rejects.toMatchObject({ code: 'bad_input' });
  await expect(hook('qa')).rejects.toMatchObject({ code: 'bad_input' });
  await expect(hook(agent('qa'), { run: '../../etc' })).rejects.toMatchObject({ code: 'bad_input' });
  await expect(check('no phase')).rejects.toMatchObject({ code: 'handoff_unreadable' });
  expect(top).not.toBe('');
});

test('each phase is held to what it hands on itself; of a contract that is a criterion, of QA.md that it passes', async () => {
  const { put, check } = setUp();
  expect(await check('architect')).toMatchObject({ ok: false, denial: { code: 'handoff_missing' } });
  put('CONTRACT.md', '# Contract\n\nAll.\n');
  expect(await check('architect')).toMatchObject({ ok: false, denial: { code: 'handoff_incomplete' } });
  put('CONTRACT.md', CONTRACT);
  put('CHANGES.md', CHANGES);
  put('QA.md', QA.replace('[PASS] 2', '[FAIL] 2'));
  expect(await check('qa')).toMatchObject({ ok: false, denial: { code: 'qa_not_passed' } });
  put('QA.md', QA);
  for (const phase of ['architect', 'dev', 'qa']) expect(await check(phase)).toMatchObject({ ok: true });
  expect(await check('skeptic')).toMatchObject({ ok: false, denial: { file: expect.stringContaining('SKEPTIC.md') } });
  expect(await check('deployer', true)).toMatchObject({ ok: true });
  expect(await check('release', true)).toMatchObject({ ok: false, denial: { code: 'handoff_missing' } });
});

/** What is kept of the run beside the graph. */
function keep(
  top: string,
  seats: readonly [name: string, phase: string][],
  judged: Record<string, string> = {},
  state: 'proposed' | 'running' | 'ended' = 'running',
) {
  const kept = { state, seats: seats.map(([name, phase]) => ({ name, phase })), handoffs: {}, judged, stumbles: {} };
  const text = gateRecordText(kept, ['haiku', 'sonnet', 'opus']);
  mkdirSync(path.join(top, '.workgraph/formations'), { recursive: true });
  writeFileSync(path.join(top, '.workgraph/formations', `${RUN}.json`), text);
}

verifies(
  ['gate.role', 'crew.chain'],
  'the phases are those of the line-up, and a seat may have another name than its phase',
  async () => {
    const { top, put, hook, check } = setUp();
    put('CONTRACT.md', CONTRACT);
    put('CHANGES.md', CHANGES);
    // Without qa in the line a deployer would be denied for its file; with a tester of another kind, for that one's.
    expect((await hook(agent('dc-deployer'))).deny).toContain('QA.md');
    keep(top, [
      ['architect', 'architect'],
      ['csv-expert', 'dev'],
      ['fuzzer', 'fuzzer'],
      ['deployer', 'deployer'],
    ]);
    expect((await hook(agent('dc-deployer'))).deny).toContain('FUZZER.md');
    expect((await check('deployer', true)).denial?.file).toContain('FUZZER.md');
    expect(await hook(agent('dc-fuzzer'))).toEqual({});
    put('FUZZER.md', 'Nothing broke.\n');
    expect(await hook(agent('dc-deployer'))).toEqual({});
    expect(await hook(agent('dc-qa'))).toEqual({}); // no phase of this run
    mkdirSync(path.join(top, '.claude/roles'));
    writeFileSync(path.join(top, '.claude/roles/crew.md'), '### csv-expert\n- subagent: builder\n- status: stable\n');
    rmSync(put('CONTRACT.md', ''));
    expect((await hook(agent('builder'))).deny).toContain('CONTRACT.md');
    // Where it cannot be read, the usual line counts.
    writeFileSync(path.join(top, '.workgraph/formations', `${RUN}.json`), '{"seats": []}');
    expect((await hook(agent('dc-deployer'))).deny).toContain('QA.md');
  },
);

verifies(
  'crew.qa.format',
  'what a judgement was about is remembered: in a fresh clone the times of the files say nothing',
  async () => {
    const { top, put, hook, check } = setUp();
    const line: [string, string][] = ['architect', 'dev', 'qa', 'deployer'].map((name) => [name, name]);
    put('CONTRACT.md', CONTRACT);
    const qa = put('QA.md', QA);
    const changes = put('CHANGES.md', CHANGES);
    utimesSync(qa, 1_000, 1_000);
    utimesSync(changes, 2_000, 2_000);
    expect((await hook(agent('dc-deployer'))).deny).toContain('QA.md judged an older CHANGES.md');
    keep(top, line, { [sha256(QA)]: sha256(CHANGES) });
    expect(await hook(agent('dc-deployer'))).toEqual({});
    expect(await check('qa')).toMatchObject({ ok: true });
    // And what changed since is what it did not judge, however old its file says it is.
    put('CHANGES.md', `${CHANGES}More.\n`);
    utimesSync(changes, 500, 500);
    expect((await hook(agent('dc-deployer'))).deny).toContain('QA.md judged an older CHANGES.md');
    // A worktree of ours asks the project around it.
    const tree = path.join(top, '.workgraph/worktrees/qa/1');
    cpSync(path.join(top, '.claude'), path.join(tree, '.claude'), { recursive: true });
    const there = path.join(tree, '.claude/dev-crew/runs', RUN, 'CHANGES.md');
    writeFileSync(there, CHANGES);
    utimesSync(there, 9_000, 9_000);
    expect(await hook(agent('dc-deployer'), { places: [tree] })).toEqual({});
  },
);

verifies(
  'gate.hook',
  'active runs are those of the coordinator, from their first minute and in worktrees; the first phase may begin',
  async () => {
    const { top, put, hook } = setUp();
    const line: [string, string][] = ['architect', 'dev', 'qa', 'deployer'].map((name) => [name, name]);
    keep(top, line);
    const tree = path.join(top, '.workgraph/worktrees/run-dev/1');
    mkdirSync(tree, { recursive: true });
    for (const places of [[top], [tree], [path.join(top, 'src/deep')]]) {
      for (const phase of ['dev', 'qa', 'deployer'])
        expect((await hook(agent(`dc-${phase}`), { places })).deny, phase).toMatch(
          /^handoff_missing: there is no .*Have .* write it/,
        );
      expect(await hook(agent('dc-architect'), { places, session_id: 'first' })).toEqual({});
      expect(await hook(agent('dc-architect'), { places, run: RUN })).toEqual({});
      expect((await hook(agent('dc-dev'), { places, run: RUN })).deny).toContain(`${RUN}/CONTRACT.md`);
    }
    // Named, and nothing is known of it: still the first phase may begin, and no other.
    const elsewhere = { places: [room('elsewhere')], run: OTHER };
    expect(await hook(agent('dc-architect'), elsewhere)).toEqual({});
    expect((await hook(agent('dc-dev'), elsewhere)).deny).toMatch(/^handoff_missing.*Have architect write it/);
    // The worktree that has the file lets dev begin; the checkout that lacks it does not.
    const there = path.join(tree, '.claude/dev-crew/runs', RUN);
    mkdirSync(there, { recursive: true });
    writeFileSync(path.join(there, 'CONTRACT.md'), CONTRACT);
    expect(await hook(agent('dc-dev'), { places: [tree] })).toEqual({});
    expect((await hook(agent('dc-dev'))).deny).toContain('CONTRACT.md');
    // What is over asks for nothing, whatever lies there; what nobody accepted does not begin.
    put('PLAN.md', 'plan');
    keep(top, line, {}, 'ended');
    expect(await hook(agent('dc-dev'))).toEqual({});
    keep(top, line, {}, 'proposed');
    expect(await hook(agent('dc-dev'))).toEqual({});
    expect((await hook(agent('dc-architect'), { run: RUN })).deny).toContain(`troupe playbook accept ${RUN}`);
  },
);
