import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { playbookStatus, playbookStop } from '#operations/playbooks/runs.js';
import { confirm } from '#operations/squad/confirm.js';
import { manual } from '#operations/squad/proposals.js';
import { apply } from '#operations/workflows/apply-function.js';
import { extract } from '#operations/workflows/extract-function.js';
import { list } from '#operations/workflows/functions.js';
import { workflowRun } from '#operations/workflows/run.js';
import { workflowTrust } from '#operations/workflows/trust.js';
import { workflowCheck, workflowList, workflowShow } from '#operations/workflows/workflows.js';
import { NO_RUNS } from '../../no-runs.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { team } from '../team/casting-stage.js';
import { Works } from './works.js';

const golden = (name: string) => path.join(import.meta.dirname, `../golden/${name}.txt`);

/** A run of the project with a worktree of its own. */
const RUN = { kind: 'run', name: 'agent-1', taskId: 'open', fence: 1 } as const;

class Runs extends Works {
  override context(): Context {
    const places = async () => [path.join(this.folder, 'tree')];
    const identity = async () => ({ taskId: 'open', fence: 1, mail: 'send' as const });
    const git = () => Promise.reject(new TroupeError('not_a_repository'));
    return { ...super.context(), git, inspector: git, runs: async () => ({ ...NO_RUNS, places, identity }) } as Context;
  }
}

const manualOf = (id: string, rest: string) => `id: ${id}\ntrigger: {type: manual}\nedges: []\n${rest}`;
const PROMPT = 'nodes: [{id: look, type: prompt}]\n';
const FILES = {
  'other.yaml': manualOf('another', PROMPT),
  'steps.yaml': manualOf(
    'steps',
    'nodes: [{id: all, type: serial, steps: [{id: one, run: make one}, {id: read}, {id: two, run: make two}]}]\n',
  ),
  'asks.yaml': manualOf('asks', 'nodes: [{id: look, type: prompt, when: history}]\n'),
  'takes.yaml': manualOf('takes', `${PROMPT}inputs: [{name: goal, default: ''}, {name: b, default: x}, {name: a}]\n`),
  'owned.yaml': manualOf(
    'owned',
    'nodes: [{id: look, type: prompt, archetype: qa-engineer}, {id: nobody, type: prompt}]\n',
  ),
  'hers.yaml': manualOf(
    'hers',
    'nodes: [{id: b, type: prompt}, {id: a, type: check, gate_kind: human-review}, {id: m, type: merge}]\n',
  ).replace('edges: []', 'edges: [{from: b, to: a}, {from: a, to: m}]'),
  'daily.yaml': `id: daily\nprefix: day\ntrigger: {type: schedule, every: daily}\nedges: []\n${PROMPT}`,
};

verifies(
  'test.bites',
  'files that are no good workflows, inputs, policies and runs: what is said of each',
  async () => {
    const stage = new Runs(path.join(room(), 'project'));
    write(
      stage.folder,
      Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`.squad/workflows/${name}`, text])),
    );
    write(stage.folder, { '.squad/review-policies/own.yaml': 'id: own\nsteps: [rai, peer-review]\n' });
    const { calls } = stage;
    for (const id of ['another', 'other', 'steps', 'x'.repeat(70)]) await calls.say(workflowShow, { id });
    await calls.say(workflowCheck, {});
    await calls.say(workflowCheck, { id: 'steps' });
    const most = 'v'.repeat(2_000);
    for (const inputs of [
      [],
      ['a=1', `b=${most}`],
      [`a=${most}v`],
      ['a=\0'],
      ['a=line\nline'],
      ['a=1', 'goal=by input'],
      [`${'z'.repeat(61)}=1`],
      ['=1'],
    ])
      await calls.say(workflowRun, { id: 'takes', dry_run: true, inputs });
    await calls.say(workflowRun, { id: 'owned', inputs: ['c=1'] });
    for (const review_policy of ['own', 'default', `no${'x'.repeat(70)}`])
      await calls.say(workflowRun, { id: 'hers', dry_run: true, review_policy });
    await stage.call(manual, { archetypes: ['triage-lead', 'qa-engineer'] });
    await stage.call(confirm, {});
    await calls.say(workflowCheck, { id: 'owned' });
    await calls.say(workflowRun, { id: 'owned', goal: 'All of it' });
    await calls.say(workflowRun, { id: 'steps' });
    for (let count = 0; count < 10; count++) {
      if (count === 5) stage.now += 1_000;
      await stage.call(workflowRun, { id: 'owned' });
    }
    stage.now -= 5_000;
    await calls.say(workflowRun, { id: 'hers' });
    await calls.say(playbookStatus, {});
    await stage.set('steps-all-one', { status: 'done' });
    await calls.say(workflowTrust, { id: 'steps' });
    await calls.say(workflowTrust, { id: 'steps', show: true });
    await calls.say(playbookStop, { run: 'hers' });
    await calls.say(playbookStop, { run: 'x'.repeat(70) });
    stage.caller = RUN;
    await calls.say(workflowRun, { id: 'owned' });
    write(stage.folder, { '.squad/config.json': '{"version":1,"allowed_workflows":[]}' });
    await calls.say(workflowRun, { id: 'owned' });
    write(stage.folder, { '.squad/config.json': '7' });
    await calls.say(workflowList, {});
    await calls.say(playbookStatus, {});
    await calls.say(workflowShow, { id: 'daily' });
    await calls.tasks();
    stage.store = undefined as never;
    await calls.say(workflowShow, { id: 'daily' });
    await expect(stage.text).toMatchFileSnapshot(golden('workflows-refused'));
  },
);

verifies('test.bites', 'functions of files, of a team, of a run and of nobody: what is said of each', async () => {
  const stage = new Runs(path.join(room(), 'project'));
  mkdirSync(path.join(stage.folder, '.workgraph'));
  const elsewhere = room('elsewhere');
  write(elsewhere, { 'values.yaml': 'page: notes.txt\n', 'page.yaml': 'a: [' });
  write(stage.folder, {
    'notes.txt': 'Line by line',
    'values.yaml': 'page: notes.txt\n',
    '.workgraph/functions/read.yaml': `kind: trace-function
version: 1
id: read
name: Read a page
inputs: [{name: page, type: file_content, required: true}, {name: note, type: string}]
tasks:
  - {template_id: z-last, title: 'Read it', description: '{{input.page}}', exec: make read}
  - {template_id: a-first, title: 'Write it {{input.note}}', verify_cmd: make check}
`,
    '.workgraph/functions/misnamed.yaml': 'kind: trace-function\nversion: 1\nid: other\ninputs: []\ntasks: []\n',
    '.workgraph/functions/none.yaml': 'kind: trace-function\nversion: 1\nid: none\ninputs: []\ntasks: []\n',
    '.workgraph/functions/planned.yaml': 'kind: trace-function\nversion: 2\nid: planned\ninputs: []\ntasks: []\n',
    '.workgraph/functions/torn.yaml': 'a: [\n',
  });
  await stage.call(manual, { archetypes: ['triage-lead', 'qa-engineer'] });
  await stage.call(confirm, {});
  const [{ name: member } = { name: '' }] = (await stage.call(team)).members;
  const done = { status: 'done', completed_at: '2026-07-01T09:00:00.000Z' };
  await stage.put('write', { ...done, title: 'Write the page', member });
  await stage.put('long', { ...done, title: `A${'\u200b'}b` });
  await stage.put('open', { status: 'in-progress', assigned: 'agent-1', fence: 1 });
  const { calls } = stage;
  await calls.say(list, {});
  await calls.say(list, { verbose: true, include_peers: false });
  const pair = (name: string) => `${name}${'p'.repeat(60 - name.length)}`;
  for (const input of [
    { id: 'read', input: ['page=notes.txt'], dry_run: true },
    { id: 'read', input: ['page=none.txt'] },
    { id: 'read', input: [pair('='), `${pair('=')}q`, 'note=a=b\nc'] },
    { id: 'read', input_file: path.join(elsewhere, 'values.yaml'), input: ['note=own'] },
    { from: '.workgraph/functions/read.yaml', dry_run: true, input: ['page=notes.txt'] },
    { from: '.workgraph/functions/read.yaml', dry_run: true, trust: false, input: ['page=notes.txt'] },
    { from: path.join(elsewhere, 'page.yaml') },
    { from: 'nobody' },
    { from: `${stage.folder}:read`, input: ['page=notes.txt'], prefix: 'whole' },
    { from: stage.folder, id: 'read', dry_run: true, input: ['page=notes.txt'], prefix: 'byid' },
    { from: './.workgraph/functions/read.yaml', input: ['page=notes.txt'], prefix: 'dot' },
    { from: 'read.yml' },
    ...['misnamed', 'none', 'planned', 'torn'].map((id) => ({ id })),
  ])
    await calls.say(apply, input);
  await calls.say(extract, { tasks: ['write'] });
  await calls.say(extract, { tasks: ['write'], name: 'folder', output: 'sub/.GIT/x.yaml' });
  stage.model = new ScriptedModel(['never asked']);
  await calls.say(extract, { tasks: ['long'], generalize: true });
  stage.caller = RUN;
  for (const input of [
    { id: 'read', input: ['page=notes.txt'], prefix: 'of-run' },
    { id: 'read', input_file: 'values.yaml', prefix: 'within' },
    { id: 'read', input_file: path.join(elsewhere, 'values.yaml') },
    { from: '.workgraph/functions/read.yaml', input: ['page=notes.txt'] },
    { from: path.join(elsewhere, 'page.yaml') },
  ])
    await calls.say(apply, input);
  await calls.say(extract, { tasks: ['write'], name: 'of-run' });
  await calls.say(extract, { tasks: ['write'], name: 'tree', output: 'tree/own.yaml' });
  await calls.say(extract, { tasks: ['write'], name: 'tree', output: 'tree/own.yaml', force: true });
  await calls.say(extract, { tasks: ['write'], name: 'beside', output: 'beside.yaml' });
  await calls.tasks();
  await expect(
    stage.text.replaceAll(elsewhere, 'ELSEWHERE').replaceAll(path.basename(elsewhere), 'elsewhere'),
  ).toMatchFileSnapshot(golden('functions-refused'));
});
