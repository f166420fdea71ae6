import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { OPERATIONS } from '#operations/table.js';
import { offerToPerson, offerToRun, PERSON_TIER_NAMES, PERSON_TIERS } from '#surfaces/mcp/offers.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, environment, project, troupe } from './program.js';
import { ToolServer } from './tool-server.js';

const WORDS = ['cast', 'team', 'member', 'squad', 'memory', 'decision', 'session', 'blueprint', 'workflow', 'catalog'];
const CASTING = OPERATIONS.filter(({ command }) => WORDS.includes(command.split(' ')[0] ?? ''));
/** What a person alone may agree to. */
const NO_TOOLS = [
  ...['team.ensure', 'workflow.trust', 'team.archive', 'team.disband'],
  // What names a file, and what only the run of its own task does.
  ...['artifact.put', 'task.submit', 'plan.submit', 'team.plan-work', 'team.session-turn'],
];

/** What is typed, what it is refused with, and how the program ends then. */
const REFUSED: readonly [string, string, number][] = [
  ['cast propose --size 99', 'bad_input', 2],
  ['cast analyze --size 99', 'bad_input', 2],
  ['cast goal', 'usage', 2],
  ['cast scenario no-such', 'unknown_grouping', 1],
  ['cast scenarios --nope', 'usage', 2],
  ['cast manual no-such', 'unknown_archetype', 1],
  ['cast manual writer --intent merge', 'intent_invalid', 2],
  ['cast show', 'no_proposal', 1],
  ['cast amend --add writer', 'no_proposal', 1],
  ['cast confirm --intent merge', 'intent_invalid', 2],
  ['cast reject', 'no_proposal', 1],
  ['cast universes --add missing.yaml', 'not_found', 1],
  ['cast archetypes --nope', 'usage', 2],
  ['cast for no-such', 'unknown_workflow', 1],
  ['team show extra', 'not_found', 1],
  ['team create crew', 'leader_required', 1],
  ['team create zion --leader Ripley', 'name_taken', 1],
  ['team list extra', 'usage', 2],
  ['team add zion Hicks', 'cast_team', 1],
  ['team remove zion Neo', 'cast_team', 1],
  ['team rename zion crew', 'cast_team', 1],
  ['team events nobody', 'not_found', 1],
  ['team archive zion', 'cast_team', 1],
  ['team disband nobody', 'not_found', 1],
  ['team task nobody x --to y', 'not_found', 1],
  ['member list no-such', 'agent_unknown', 1],
  ['team take no-such', 'unknown_task', 1],
  ['team tasks nobody', 'not_found', 1],
  ['team submit no-such --content x', 'unknown_task', 1],
  ['team review no-such approve', 'unknown_task', 1],
  ['team plan submit no-such --content x', 'unknown_task', 1],
  ['team plan approve no-such', 'unknown_task', 1],
  ['team plan reject no-such', 'unknown_task', 1],
  ['team plan list nobody', 'not_found', 1],
  ['team artifacts nobody', 'not_found', 1],
  ['team artifact list nobody', 'not_found', 1],
  ['team artifact get no-such', 'not_found', 1],
  ['team artifact put nobody --content x', 'not_found', 1],
  ['team say nobody x', 'not_found', 1],
  ['team chat nobody', 'not_found', 1],
  ['team use nobody', 'not_found', 1],
  ['team strata nobody', 'not_found', 1],
  ['team replan nobody', 'not_found', 1],
  ['team plan-work nobody 1 1', 'not_found', 1],
  ['team session-start nobody x', 'bad_input', 2],
  ['team session-list nobody', 'not_found', 1],
  ['team session-show nobody x', 'not_found', 1],
  ['team session-turn nobody x y', 'not_found', 1],
  ['team session-conclude nobody x y', 'not_found', 1],
  ['team session-cancel nobody x', 'not_found', 1],
  ['member show Nobody', 'not_found', 1],
  ['member add no-such', 'unknown_archetype', 1],
  ['member rerole Neo no-such', 'unknown_archetype', 1],
  ['member charter Neo --text 🚀', 'charter_emoji', 1],
  ['member retire Nobody', 'not_found', 1],
  ['member retire Rai', 'builtin_member', 1],
  ['member restore Nobody', 'not_found', 1],
  ['member rename Neo Trinity', 'name_invalid', 1],
  ['squad check extra', 'usage', 2],
  ['squad render extra', 'usage', 2],
  ['squad migrate --keep both', 'usage', 2],
  ['squad sync', 'sync_unavailable', 1],
  ['squad sync --commit --expect x', 'sync_unavailable', 1],
  ['memory import extra', 'usage', 2],
  ['memory export extra', 'usage', 2],
  ['memory list --type no-such', 'usage', 2],
  ['memory add', 'usage', 2],
  ['decision list --nope', 'usage', 2],
  ['decision add', 'usage', 2],
  ['decision archive 99', 'not_found', 1],
  ['decision inbox --nope', 'usage', 2],
  ['decision propose', 'usage', 2],
  ['decision merge 99', 'not_found', 1],
  ['decision reject 99', 'not_found', 1],
  ['session show --nope', 'usage', 2],
  ['session list --nope', 'usage', 2],
  ['session start', 'usage', 2],
  ['session change', 'bad_input', 2],
  ['blueprint list extra', 'usage', 2],
  ['blueprint show no-such', 'not_found', 1],
  ['blueprint generate', 'usage', 2],
  ['blueprint validate no-such', 'not_found', 1],
  ['blueprint apply support', 'requires_choice', 1],
  ['workflow list extra', 'usage', 2],
  ['workflow show no-such', 'unknown_workflow', 1],
  ['workflow check no-such', 'unknown_workflow', 1],
  ['workflow run no-such', 'unknown_workflow', 1],
  ['workflow status no-such', 'not_found', 1],
  ['workflow close no-such', 'not_found', 1],
  ['workflow trust no-such', 'unknown_workflow', 1],
  ['catalog show archetypes no-such', 'not_found', 1],
  ['catalog show no-such', 'usage', 2],
  ['catalog lint extra', 'usage', 2],
];

async function withTeam(): Promise<string> {
  const cwd = await project('zion');
  await asked(['cast', 'manual', 'lead-architect', 'writer', '--universe', 'The Matrix'], { cwd });
  await asked(['cast', 'confirm'], { cwd });
  await troupe(['cast', 'reject'], { cwd });
  return cwd;
}

const treeOf = (cwd: string) => readdirSync(path.join(cwd, '.squad'), { recursive: true }).sort();

verifies(
  'cli.errors',
  'every command of casting refuses as those of the graph do: a code, a sentence, a hint, the exit code, and nothing is changed',
  async () => {
    const cwd = await withTeam();
    const before = treeOf(cwd);
    const missing = CASTING.filter(({ command }) => !REFUSED.some(([line]) => `${line} `.startsWith(`${command} `)));
    expect(missing.map(({ command }) => command)).toEqual([]);
    const told = new Set<string>();
    const check = async ([line, code, exit]: readonly [string, string, number]) => {
      const words = line.split(' ');
      const said = await troupe([...words, '--json'], { cwd });
      expect(said, line).toMatchObject({ code: exit, stdout: '' });
      const { error, ...rest } = JSON.parse(said.stderr) as Record<string, Record<string, unknown>>;
      expect(rest, line).toEqual({});
      expect(error, line).toMatchObject({ code, message: expect.any(String), hint: expect.any(String) });
      expect(Object.keys(error ?? {}), line).toEqual(['code', 'message', 'hint', 'details']);
      // The same words for people, which are put together in one place, once of each code.
      if (told.has(code)) return;
      told.add(code);
      const shown = await troupe(words, { cwd });
      expect(shown, line).toMatchObject({ code: exit, stdout: '' });
      // An older name says its new one first.
      expect(shown.stderr, line).toMatch(
        new RegExp(`^(?:\`troupe .+\` is called .+\n)?error\\[${code}\\]: .+\\n(?:.+\\n)*hint: .+\\n$`),
      );
    };
    for (const refusal of REFUSED) await check(refusal);
    expect(treeOf(cwd)).toEqual(before);
  },
);

verifies(
  ['cli.errors', 'confirm.intent'],
  'the client of a person has the same operations as tools, with no intent but the one that is said',
  async () => {
    const cwd = room('project');
    const tools = new ToolServer(cwd, environment(), ['--person', '--tier', 'team,memory,plans']);
    await tools.open();
    const { result } = await tools.request('tools/list');
    const listed = result?.['tools'] as { name: string; inputSchema: { properties: object; required: string[] } }[];
    const names = listed.map(({ name }) => name);
    const wanted = [
      ...CASTING.filter(({ name }) => !NO_TOOLS.includes(name)).map(({ name }) => name),
      ...PERSON_TIERS.core,
      'work.start',
      ...['playbook.list', 'playbook.status', 'playbook.steer', 'playbook.stop'],
    ].map((name) => name.replace(/[.-]/g, '_'));
    expect([...names].sort()).toEqual([...wanted].sort());
    const confirming = listed.find(({ name }) => name === 'casting_confirm');
    expect(confirming?.inputSchema.properties).toMatchObject({ intent: { type: 'string' } });
    expect(confirming?.inputSchema.properties).not.toHaveProperty('intent.default');

    expect(await tools.call('casting_confirm')).toBe('no_proposal');
    await tools.call('casting_manual', { archetypes: ['lead-architect', 'writer'], universe: 'The Matrix' });
    expect(existsSync(path.join(cwd, '.squad'))).toBe(false);
    expect(await tools.call('casting_confirm')).toMatchObject({ added: ['Neo', 'Trinity'] });
    await tools.call('casting_manual', { archetypes: ['writer'] });
    expect(await tools.call('casting_confirm')).toBe('requires_choice');
    expect(await tools.call('casting_confirm', { intent: 'merge' })).toBe('intent_invalid');
    expect(await tools.call('casting_confirm', { intent: 'augment' })).toMatchObject({ retired: [] });
    expect(await tools.call('team_show')).toMatchObject({ leader: 'Neo' });
    expect(await tools.call('member_retire', { member: 'Nobody' })).toBe('not_found');
    await tools.closed();
  },
);

verifies(
  ['cli.errors', 'guard.rights', 'sec.mcp', 'workflow.trust'],
  'what a person alone agrees to is no tool, no tool names a file, and a run has none of them',
  async () => {
    const cwd = await project('zion');
    mkdirSync(path.join(cwd, '.squad/workflows'), { recursive: true });
    const nightly = "id: nightly\nnodes: [{id: look, type: run, run: 'true'}]\nedges: []\n";
    writeFileSync(path.join(cwd, '.squad/workflows/nightly.yaml'), nightly);
    const tools = new ToolServer(cwd, environment(), ['--person', '--tier', 'team,memory,plans']);
    await tools.open();
    for (const name of ['workflow_trust', 'team_ensure', 'config_set', 'project_trust', 'task_done'])
      expect(await tools.call(name, { id: 'nightly' }), name).toBe('not_found');
    for (const [name, said] of [
      ['blueprint_validate', { file: '/etc/passwd' }],
      ['casting_universes', { add: '/etc/passwd' }],
      ['workflow_run', { id: 'bug-fix', override: true }],
      ['work_start', { workflow: 'bug-fix', cast: true }],
      ['work_start', { goal: 'Rest', blueprint_file: '/etc/passwd' }],
      ['member_charter', { member: 'Neo', file: '/etc/passwd' }],
    ] as const)
      expect(await tools.call(name, said), name).toBe('not_yours');
    expect(await tools.call('workflow_run', { id: 'nightly' })).toMatchObject({ task_ids: ['nightly-look'] });
    await tools.closed();

    const run = { WG_AGENT_ID: 'agent-1', WG_TASK_ID: 'a', WG_FENCE: '1' };
    const asRun = (words: readonly string[]) => troupe([...words, '--json'], { cwd, env: run });
    for (const words of [
      ['cast', 'confirm'],
      ['member', 'add', 'writer'],
      ['workflow', 'trust', 'nightly'],
    ])
      expect(JSON.parse((await asRun(words)).stderr).error.code, words.join(' ')).toBe('not_yours');
    const refused = await asRun(['mcp', '--person']);
    expect([refused.code, JSON.parse(refused.stderr).error.code]).toEqual([1, 'not_yours']);
    const ofRuns = new Set(offerToRun('a', 'send', '').specs.map(({ name }) => name));
    const writes = offerToPerson(PERSON_TIER_NAMES).specs.filter(({ kind }) => kind === 'write');
    expect(writes.filter(({ name }) => ofRuns.has(name)).map(({ name }) => name)).toEqual([
      ...['task.add', 'team.say', 'team.task', 'team.take', 'task.review'],
    ]);
  },
);

verifies('cast.fresh', 'as one types it, in a folder in which nothing is yet', async () => {
  const cwd = room('nothing-yet');
  for (const [words, expected] of [
    [['cast', 'goal', 'write a compiler'], 'Core Implementer'],
    [['cast', 'show'], 'Core Implementer'],
    [['cast', 'analyze'], 'Proposed'],
    [['blueprint', 'generate', 'write a compiler'], 'core-implementer'],
    [['workflow', 'list'], 'bug-fix'],
  ] as const) {
    const { code, stdout, stderr } = await troupe(words, { cwd });
    expect([code, stdout.includes(expected)], `${words.join(' ')}: ${stderr}`).toEqual([0, true]);
  }
});
